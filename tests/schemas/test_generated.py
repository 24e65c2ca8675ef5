"""The schemas in generator/schemas are those generated from the descriptions in templates/. With update=1 (the target
schemas-update) this writes them."""
import re
import shutil
import sys

import pytest
from testing import SOURCE, exactly, expect_text, given

COMMANDS = {"plan": ["-e", "a: u8[2] @0 -> 1 1", "--emit=json", "-o", "-"],
            "list": ["-e", "a: u8[2] @0 -> 1 1", "--list", "--format=json"],
            "placement": [SOURCE / "tests/golden/cases/c2f_block.onnxtxt", "--emit=placement", "-o", "-"]}


def generated(work, name):
    """The text of a schema by the templates in the test's folder, if there are any."""
    (work / "templates").mkdir(exist_ok=True)
    shutil.copy(SOURCE / "generator/schemas/schema.tmpl", work / "templates/json_document.tmpl")
    return work.run([given["watched"], *COMMANDS[name]], env={"SPLITGEN_TEMPLATES": str(work / "templates")}).out


def committed(name):
    return SOURCE / f"generator/schemas/{name}.schema.json"


@pytest.mark.parametrize("name", COMMANDS)
def test_generated(work, name):
    if given.get("update"):
        committed(name).write_text(generated(work, name))
    expect_text(f"{committed(name)} (build schemas-update)", committed(name).read_text(), exactly(generated(work, name)))


def test_change(work):
    """A row with another key and type in templates/kernel.json.tmpl changes the schema so."""
    text = (SOURCE / "templates/kernel.json.tmpl").read_text()
    work.write("templates/kernel.json.tmpl", text.replace('{"row_bytes", count', '{"wind", positive'))
    plan = committed("plan").read_text()
    expected = re.sub('(\n *"wind": [^\n]*"minimum": )0', r"\g<1>1", plan.replace('"row_bytes"', '"wind"'))
    assert expected != plan
    expect_text("the schema", generated(work, "plan"), exactly(expected))


def test_documents(work):
    """The tool's documents conform to the schemas, and use all of them."""
    pytest.importorskip("jsonschema", minversion="4")
    work.run([sys.executable, SOURCE / "tests/schemas/check_schemas.py", work.tool, SOURCE, work / "work"])
