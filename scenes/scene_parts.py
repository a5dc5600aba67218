"""What the scenes of make_scene are made of: numbers, rotations, common objects, meshes, JSON."""
import argparse
import json
import math
import os
import pathlib
import tempfile

H = 0.02  # particle spacing, m
# Samples lie h / 2 inside a drawn surface, and those of two bodies rest h apart: in contact a body is its drawn shape with
# edges and corners rounded by this radius.
EDGE = 0.5 * H
MODELS = pathlib.Path(__file__).resolve().parent / "models"
meshes = {}  # of the scene that is being made: text of MODELS/NAME.obj by NAME


def scene(objects, end, materials, step=0.001, rate=25, spacing=H, **more):
    return {"$schema": "scene.schema.json", "particleSpacing": spacing, "time": {"end": end, "maxStep": step},
            **more, "materials": materials, "objects": objects, "output": {"frameRate": rate}}


def rigid(density, friction):
    return {"type": "rigid", "density": density, "friction": friction}


def body(name, material, shape, position, **more):
    return {"name": name, "role": "rigid", "material": material, "shape": shape, "position": rounded(position), **more}


def floor(size_x, size_z, degrees=20):
    """A floor with its top at y = 0. Turned, because the lattices of two aligned surfaces interlock."""
    return {"name": "floor", "role": "boundary", "shape": {"box": rounded([size_x, 0.08, size_z])},
            "position": [0, -0.04, 0], "rotation": {"axis": [0, 1, 0], "degrees": degrees}}


def rounded(vector):
    return [round(v, 6) + 0 for v in vector]  # + 0 turns -0 into 0


def multiply(a, b):
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw)


def turn(axis, degrees):
    half = math.radians(degrees) / 2
    return (math.cos(half), *(math.sin(half) * a for a in axis))


def rotation(q):
    half = math.acos(q[0])
    s = math.sin(half)
    return {"axis": [round(c / s, 12) for c in q[1:]], "degrees": round(math.degrees(2 * half), 12)}


def about_z(degrees):
    return {"axis": [0, 0, 1], "degrees": round(degrees, 6)}


def along_slope(degrees, x, y, z=0):
    """The point x down the slope, y above it."""
    s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return rounded([x * c + y * s, -x * s + y * c, z])


def slope_plane(degrees, size_x, size_z, middle_x):
    """A plane that falls towards +x, its lattice turned by 20 degrees about its normal."""
    return {"name": "plane", "role": "boundary", "shape": {"box": rounded([size_x, 0.08, size_z])},
            "position": along_slope(degrees, middle_x, -0.04),
            "rotation": rotation(multiply(turn((0, 0, 1), -degrees), turn((0, 1, 0), 20)))}


def write_mesh(name, vertices, faces):
    """Adds models/NAME.obj, faces counterclockwise seen from outside; returns the shape that uses it."""
    lines = ["# Written by scenes/make_scene."]
    lines += ["v " + " ".join(f"{c:.9g}" for c in rounded_fine(v)) for v in vertices]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    meshes[name] = "\n".join(lines) + "\n"
    return {"mesh": f"models/{name}.obj"}


def write_whole(path, text):
    """Under a temporary name, then renamed: what is there is complete. Follows links; never replaces a device."""
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise OSError(None, "is no regular file; name another", str(path))
    temporary = None
    try:
        # A name that nothing has: no link of that name is followed.
        with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".part", delete=False, encoding="utf-8") as file:
            temporary = pathlib.Path(file.name)
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        temporary.replace(path)
    except OSError as error:
        if temporary:
            temporary.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error


def write_new(path, text):
    """The same, but never in place of something else: another scene may name it."""
    if path.exists() and (not path.is_file() or path.read_text(encoding="utf-8", errors="replace") != text):
        raise OSError(None, "is there already and holds something else; move it away, or write elsewhere", str(path))
    write_whole(path, text)


def rounded_fine(vector):
    return [round(v, 9) + 0 for v in vector]


def prism(name, outline, triangles, depth):
    """A solid of constant section: the outline (x, y), counterclockwise, and the triangles that fill it, along z."""
    n = len(outline)
    vertices = [(x, y, z) for z in (-depth / 2, depth / 2) for x, y in outline]
    faces = [(a + n, b + n, c + n) for a, b, c in triangles] + [(c, b, a) for a, b, c in triangles]
    for i in range(n):
        j = (i + 1) % n
        faces += [(i, j, j + n), (i, j + n, i + n)]
    return write_mesh(name, vertices, faces)


def finite(text):
    value = float(text)
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"must be a finite number, not {text}")
    return value


def below_one(text):
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, not {text}") from None
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"must be above 0 and below 1, not {text}")
    return value


def positive(kind):
    def read(text):
        value = kind(text)
        if not 0 < value < math.inf:
            raise argparse.ArgumentTypeError(f"must be a finite number above 0, not {text}")
        return value

    return read


def dump(value, indent=0, width=120):
    """JSON with what fits on a line on one line."""
    line = json.dumps(value)
    if isinstance(value, dict):
        line = "{ " + ", ".join(f"{json.dumps(k)}: {dump(v, indent, 10**9)}" for k, v in value.items()) + " }"
    elif isinstance(value, list):
        line = "[" + ", ".join(dump(v, indent, 10**9) for v in value) + "]"
    if len(line) + indent <= width or not isinstance(value, (dict, list)):
        return line
    inner = " " * (indent + 2)
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + dump(v, indent + 2, width) for v in value) + "\n" + " " * indent + "]"
    if indent > 0 and "role" in value:  # an object of the scene: wrapped like words
        return wrapped(value, indent, width)
    items = [f"{inner}{json.dumps(k)}: {dump(v, indent + 2, width)}" for k, v in value.items()]
    return "{\n" + ",\n".join(items) + "\n" + " " * indent + "}"


def wrapped(value, indent, width):
    parts = [f"{json.dumps(k)}: {dump(v, indent, 10**9)}" for k, v in value.items()]
    lines, at = ["{ "], indent + 2
    for k, part in enumerate(parts):
        part += ", " if k + 1 < len(parts) else " }"
        if at + len(part) > width + 1:
            lines[-1] = lines[-1].rstrip()
            lines.append(" " * (indent + 2))
            at = indent + 2
        lines[-1] += part
        at += len(part)
    return "\n".join(lines)
