"""Reads a .vtp file with VTK, or a .pvd file as XML, and prints what it found as one line of JSON.

Exits with 1 if VTK complains.

A checksum is sum((k % 9973 + 1) * value_k) over an array's values in file order, in doubles: it sees a lost, changed
or swapped value, and is exact for the whole numbers that the tests store.
"""

import json
import sys
import xml.etree.ElementTree

from vtkmodules.vtkCommonCore import vtkFileOutputWindow, vtkOutputWindow
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


def array_facts(array):
    components = array.GetNumberOfComponents()
    checksum = 0.0
    k = 0
    for i in range(array.GetNumberOfTuples()):
        for value in array.GetTuple(i):
            checksum += (k % 9973 + 1) * value
            k += 1
    return {
        "type": array.GetDataTypeAsString(),
        "components": components,
        "tuples": array.GetNumberOfTuples(),
        "checksum": checksum,
    }


def print_index(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    assert root.tag == "VTKFile" and root.get("type") == "Collection", "not a collection"
    print(json.dumps([[float(item.get("timestep")), item.get("file")] for item in root.find("Collection")]))


def main():
    if sys.argv[1].endswith(".pvd"):
        return print_index(sys.argv[1])
    messages = []
    window = vtkFileOutputWindow()
    window.SetFileName("/dev/stderr")
    vtkOutputWindow.SetInstance(window)

    reader = vtkXMLPolyDataReader()
    for event in ("ErrorEvent", "WarningEvent"):
        reader.AddObserver(event, lambda caller, name: messages.append(name))
    reader.SetFileName(sys.argv[1])
    reader.Update()
    mesh = reader.GetOutput()

    cells = mesh.GetVerts()
    points = mesh.GetNumberOfPoints()
    one_cell_a_point = cells.GetNumberOfCells() == points and all(
        mesh.GetCell(i).GetNumberOfPoints() == 1 and mesh.GetCell(i).GetPointId(0) == i for i in range(points)
    )
    data = mesh.GetPointData()
    arrays = {data.GetArrayName(i): array_facts(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}
    time = mesh.GetFieldData().GetArray("TimeValue")
    print(
        json.dumps(
            {
                "points": points,
                "one_cell_a_point": one_cell_a_point,
                "bounds": mesh.GetBounds() if points else None,
                "time": time.GetValue(0) if time else None,
                "position": array_facts(mesh.GetPoints().GetData()),
                "arrays": arrays,
            }
        )
    )
    return 1 if messages or reader.GetErrorCode() else 0


sys.exit(main())
