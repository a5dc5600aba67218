"""tools/validate with a program that stands in for sluice_tests: interrupted, resumed, failing, on a new build.

Prints nothing and exits with 0 if all holds. Runs in a copy of the tool's surroundings, so that the repository's results
stay as they are."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
# Writes one figure and one curve. Waits in case "second, slow" while the file `block` is there; "third" fails while
# `fail` is; changes itself while `rebuild` is. `runs` lists the cases that ran.
STAND_IN = r'''#!/usr/bin/python3
import json, os, pathlib, sys, time
here = pathlib.Path(__file__).parent
if "--list-test-cases" in sys.argv:
    print('<doctest><TestCase name="first" testsuite="full"/><TestCase name="second, slow" testsuite="full"/>'
          '<TestCase name="third" testsuite="figures"/></doctest>')
    sys.exit(0)
pattern = next(a for a in sys.argv if a.startswith("--test-case="))[12:]
name = pattern.replace("\\,", ",")
if pattern.count("\\,") != pattern.count(","): sys.exit("an unescaped comma ends a pattern of doctest")
with open(here / "runs", "a") as runs: runs.write(name + "\n")
while name == "second, slow" and (here / "block").exists(): time.sleep(0.05)
if (here / "rebuild").exists(): open(__file__, "a").write("# rebuilt\n")
bad = name == "third" and (here / "fail").exists()
with open(os.environ["SLUICE_FIGURES"], "a") as out:
    for line in ({"kind": "figure", "name": "figure of " + name, "value": 9.0 if bad else 1.25e-7, "unit": "m",
                  "required": "< 2e-06 m", "source": "law", "holds": not bad},
                 {"kind": "curve", "name": "both", "title": "T", "x": "x", "y": "y", "log": False,
                  "series": [{"label": name, "line": False, "points": [[1, 2], [2, 3]]}]}):
        out.write(json.dumps(line) + "\n")
if bad: print("test.cpp:1: ERROR: CHECK( figure ) is NOT correct!")
sys.exit(1 if bad else 0)
'''


def main(root):
    build = root / "build" / "release"
    build.mkdir(parents=True)
    (root / "tools").mkdir()
    shutil.copy(SOURCE / "tools" / "validate", root / "tools" / "validate")
    # Nothing is installed by a test; without matplotlib there are no plots.
    (root / "tools" / "packages").write_text("install_packages() { return 1; }\n")
    program = build / "sluice_tests"
    program.write_text(STAND_IN)
    program.chmod(0o755)
    environment = {key: value for key, value in os.environ.items() if key != "SLUICE_BUILD"}
    command = [sys.executable, str(root / "tools" / "validate")]

    def validate(*arguments, status):
        done = subprocess.run([*command, *arguments], env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == status, (arguments, done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def runs():
        return (build / "runs").read_text().splitlines()

    assert "matches nothing*" in validate("nothing*", status=2)
    validate("--report", status=2)

    (build / "block").touch()
    (build / "fail").touch()
    child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (build / "runs").exists() or "second, slow" not in runs():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    child.send_signal(signal.SIGTERM)
    text = child.communicate(timeout=60)[0]
    assert child.returncode == 130 and "goes on" in text, (child.returncode, text)
    assert runs() == ["first", "second, slow"]
    assert not (root / "tools" / "results").exists()

    (build / "block").unlink()
    text = validate(status=1)  # goes on; the third case fails
    assert runs() == ["first", "second, slow", "second, slow", "third"] and "1 done before" in text, (runs(), text)
    assert "third: FAILED" in text and "is NOT correct" in text, text
    page = root / "tools" / "results" / "validation.md"
    table = page.read_text()
    assert table.startswith("# Physics\n\n") and table.count("| what | required |") == 1, table
    assert "| figure of first | < 2e-6 m | law | 1.2e-7 m | `tools/validate` |" in table, table
    assert "| figure of third | < 2e-6 m | law | **9 m: FAILED** | `tools/test` |" in table, table
    assert "\n2 of 3 figures hold. These do not:\n\n- figure of third\n\n" in table, table
    page.write_text("stale\n")
    validate("--report", status=1)
    assert len(runs()) == 4
    assert page.read_text() == table, page.read_text()

    (build / "fail").unlink()
    validate(status=0)  # only what failed runs again
    assert runs()[4:] == ["third"]
    table = page.read_text()
    assert "\nAll 3 figures hold.\n" in table and "FAILED" not in table and "| figure of third |" in table, table
    plot = root / "tools" / "results" / "validation_both.svg"
    assert not plot.exists() or (plot.stat().st_size < 100000 and "second, slow" in plot.read_text())
    assert plot.exists() == ("\n![T](validation_both.svg)\n" in table), table

    # Another build: one case runs again, the rows of the others stay with their dates.
    results = root / "tools" / "results" / "validation.json"
    older = json.loads(results.read_text())
    older["first"]["date"] = "2001-02-03T00:00:00+00:00"
    results.write_text(json.dumps(older))
    program.write_text(STAND_IN + "# changed\n")
    for record in (build / "validate").glob("first*.json"):
        record.unlink()
    validate("third", status=0)
    assert runs()[5:] == ["third"]
    table = (root / "tools" / "results" / "validation.md").read_text()
    assert "1.2e-7 m | `tools/validate` | 2001-02-03 |" in table and "figure of second, slow" in table, table
    assert "of another build" in validate("--list", status=0)
    validate("third", "--restart", status=0)
    assert runs()[6:] == ["third"]

    (build / "rebuild").touch()
    assert "built anew" in validate(status=2)
    assert runs()[7:] == ["first"]
    (build / "rebuild").unlink()

    # All that it writes lies in the folder of results.
    assert sorted(path.name for path in root.iterdir()) == ["build", "tools"]
    assert sorted(path.name for path in (root / "tools").iterdir()) == ["packages", "results", "validate"]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(Path(folder))
