"""The output of diagnostics: formats, colours, warnings, places on the command line."""
import re

import pytest
from testing import CUT, regex

from terminals import at_terminal


@pytest.mark.parametrize("arguments,code,severities", [
    ("cut.lua", 0, []), ("-e 'f99[4] -> /2'", 1, ["error"]), ("--bogus", 2, ["error"]), ("", 2, None),
    ("param.lua -D bacth=1 -o k.c", 0, ["warning"]), ("param.lua -D bacth=1 -Werror", 1, ["warning", "error"])])
def test_json(work, arguments, code, severities):
    """One document on standard error, also when there is nothing to report."""
    work.write("cut.lua", CUT)
    work.write("param.lua", "return split { dtype = 'u8', shape = { param('batch', 1), 4 }, axis = 1, parts = 2 }\n")
    done = work.splitgen(f"{arguments} --diagnostics-format=json", code, out="" if code else None)
    found = [one["severity"] for one in done.err_json["diagnostics"]]
    assert severities is None or found[:len(severities)] == severities and bool(found) == bool(severities)


def test_fields_of_json(work):
    done = work.splitgen("-e 'f99[4] -> /2' --diagnostics-format=json", 1)
    assert done.err_json["diagnostics"][0]["column"] == 1
    work.splitgen("-e 'f32[4] -> /2' --diagnostics-format=sarif", 2, out="",
                  err="error: 'sarif' is not a value of '--diagnostics-format'")


@pytest.mark.parametrize("colour,environment,options", [
    (False, "TERM=xterm", ""), (True, "TERM=dumb", "--color=always"), (True, "NO_COLOR=1", "--color=always"),
    (True, "FORCE_COLOR=1", ""), (True, "CLICOLOR_FORCE=1", ""), (False, "CLICOLOR_FORCE=0", ""),
    (False, "NO_COLOR=1 FORCE_COLOR=1", ""), (True, "NO_COLOR= FORCE_COLOR=1", ""), (False, "FORCE_COLOR=1", "--color=never")])
def test_colour(work, colour, environment, options):
    """The option, then NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, then the terminal."""
    assert ("\033" in work.run(f"env {environment} splitgen none.lua {options}", 3).err) == colour


@pytest.mark.parametrize("colour,environment", [(True, {"TERM": "xterm"}), (False, {"TERM": "dumb"}),
                                                (False, {"TERM": "xterm", "NO_COLOR": "1"})])
def test_colour_at_a_terminal(work, colour, environment):
    printed = at_terminal([work.tool, "none.lua"], cwd=work.path, env={**work.env, **environment})
    assert b"error" in printed and (re.search(rb"\033 *\[", printed) is not None) == colour


def test_suggestions_and_places_inside_quoted_arguments(work):
    work.write("cut.lua", CUT)
    work.splitgen("cut.lua --unroll=ful", 2, err="did you mean 'full'")
    work.splitgen("'it'\\''s.lua'", 3, err="\n    1 | splitgen 'it'")
    work.splitgen("cut.lua '--emit=c,sgv'", 2,
                  err=":1:27: error: 'sgv' is not a value of '--emit'; did you mean 'svg'")
    work.splitgen("-e 'q: f32[7,6] @1 -> a:2 b:5'", 1,
                  err=[regex(r"^<command line>:1:\d+: error: "), "\n    1 | q: f32[7,6] @1 -> a:2 b:5\n"])


def test_the_op_is_named_if_its_place_is_ambiguous(work):
    """In every format, and every result has its rule."""
    work.write("loop.lua", """local ops = {}
for i = 1, 2 do
  ops[i] = split { name = "q" .. i, dtype = "f32", shape = { 4 }, lengths = { 2, 3 } }
end
return ops
""")
    message = "ops 'q1', 'q2': lengths sum to 5, but axis 0 has 4"
    work.splitgen("loop.lua", 1, err=regex(f"^loop.lua:3:77: error: {message}\n"))
    found = work.splitgen("loop.lua --diagnostics-format=json", 1).err_json["diagnostics"][0]
    assert (found["rule"], found["ops"][1], found["message"]) == ("lengths", "q2", message)


def test_an_unknown_dimension(work):
    work.splitgen("-e 'f32[batch,4] -> 4'", 1, err=(
        "<command line>:1:5: note: a dimension whose length is known only when the program runs is written 'batch?', or "
        "'batch=64?' if it is likely 64; one that -D batch=... sets needs a spec: shape = { param(\"batch\"), ... }"))
