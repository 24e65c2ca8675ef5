"""What pip and importlib.metadata know of the package, made from pyproject.toml for Debian, where scikit-build-core
does not run. Left out is the script splitgen: that is the tool itself here.

    dist_info.py PYPROJECT VERSION FOLDER
"""
import pathlib
import sys
import tomllib

project = tomllib.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["project"]
folder = pathlib.Path(sys.argv[3]) / ("splitgen-%s.dist-info" % sys.argv[2])

lines = ["Metadata-Version: 2.1", "Name: " + project["name"], "Version: " + sys.argv[2],
         "Summary: " + project["description"], "License: " + project["license"]["text"],
         "Requires-Python: " + project["requires-python"]]
lines += ["Classifier: " + text for text in project["classifiers"]]
lines += ["Requires-Dist: " + need for need in project["dependencies"]]
for extra, needs in project["optional-dependencies"].items():
    lines.append("Provides-Extra: " + extra)
    lines += ['Requires-Dist: %s; extra == "%s"' % (need, extra) for need in needs]

points = []
for group, entries in project["entry-points"].items():
    points += ["[%s]" % group, *("%s = %s" % entry for entry in entries.items())]

folder.mkdir(parents=True, exist_ok=True)
for name, text in {"METADATA": lines, "entry_points.txt": points, "INSTALLER": ["debian"],
                   "WHEEL": ["Wheel-Version: 1.0", "Root-Is-Purelib: true", "Tag: py3-none-any"]}.items():
    (folder / name).write_text("\n".join(text) + "\n", encoding="utf-8")
