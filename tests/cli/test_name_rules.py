"""Names: every reserved word as the name of a kernel and of its first output, alone and with a prefix, in every kind of
output; maximum lengths of names; headers of the system."""
import re

import pytest
from kinds import KINDS
from testing import CUT, SOURCE, regex

TABLE = (SOURCE / "generator/split/names.inc").read_text("utf-8")
WORDS = re.findall(r'\("([A-Za-z0-9_]+)"', TABLE)
HEADERS = re.findall(r'"([^"]+\.h)"', "".join(
    re.findall(r"^H.*$", (SOURCE / "generator/driver/system_headers.inc").read_text("utf-8"), re.M)))


def test_kernels_named_like_an_output(work):
    """Kernels named like an output followed by '_', and outputs whose replacement name would collide with it."""
    assert len(WORDS) >= 2000
    work.write("words.lua", f"""
local list, seen = {{}}, {{}}
for word in ([[a x in out data row first input outputs {' '.join(WORDS)}]]):gmatch '%S+' do
  local name = word .. '_'
  local posix = word:match '^aio_' or word:match '^mq_' or word:match '^posix_' or word:match '^pthread_'
                or word:match '^sched_' or word:match '^sem_' -- no name may begin so
  if not posix and not seen[name:upper()] then
    seen[name:upper()] = true
    list[#list + 1] = split {{ name = name, dtype = 'u8', shape = {{ 6 }}, lengths = {{ 2, 2, 2 }},
                              outputs = {{ word, name, name .. 2 }} }}
  end
end
return list
""")
    for how in f"--emit={','.join(KINDS)}", "--emit=h --prefix=p_":
        work.splitgen(f"words.lua {how} -o out/", out="",
                      err="output name 'while' is a keyword of C; in C it is 'while_3'")
    work.splitgen("-e 'a_: u8[4] @0 -> a_:2 b:2' --emit=h", out="uint8_t *SPLITGEN_RESTRICT a_2,")


def test_every_reserved_word_itself(work):
    """An output is renamed, a kernel is refused with a valid suggestion."""
    work.write("refused.lua", f"""
local list = {{}}
for word in ([[{' '.join(WORDS)}]]):gmatch '%S+' do
  list[#list + 1] = split {{ name = word, dtype = 'u8', shape = {{ 4 }}, parts = 2, outputs = {{ word, 'b' }} }}
end
return list
""")
    hidden = len(WORDS) - TABLE.count('WIN("') - 20  # a kernel may have the names of WIN
    work.splitgen("refused.lua", 1, err=[regex("kernel name '[^']*' is a keyword of C; '[^']*_' would do"),
                                         f"{hidden} more errors not shown"])
    work.splitgen("refused.lua --prefix=p_ --emit=c,h -o out/")


@pytest.mark.parametrize("field", ["name = long", "dtype = long", "outputs = { long, 'b' }", "packing = long", "[long] = 1",
                                   "shape = { param(long, 4) }", "shape = { free(long, 4), 4 }, axis = 1"])
def test_messages_do_not_repeat_long_names(work, field):
    work.write("long.lua", f"""local long = ('x'):rep(1e6)
local op = {{ dtype = 'f32', shape = {{ 4 }}, parts = 2 }}
for key, value in pairs {{ {field} }} do op[key] = value end
return split(op)
""")
    done = work.splitgen("long.lua", 1, out="", err=regex("has (a name of )?1000000 bytes; names have at most 4000"))
    assert len(done.err) <= 1000


@pytest.mark.parametrize("length,code", [(3999, 0), (4000, 0), (4001, 1)])
def test_lengths_of_names(work, length, code):
    out = "" if code else "void "
    work.splitgen(f"-e '{'n' * length}: u8[4] @0 -> 2 2'", code, out=out)
    work.splitgen(f"-e 'k: u8[4] @0 -> {'n' * length}:2 2'", code, out=out)
    work.splitgen(f"-e 'k: u8[4] @0 -> 2 2' --prefix={'n' * (length - 1)}", code, out=out,
                  err="the kernel's name has 4001 bytes with its prefix; names have at most 4000" if code else None)


def test_the_table_of_headers_is_complete():
    assert not {"string.h", "limits.h", "time.h", "features.h", "stdbit.h", "stdckdint.h", "immintrin.h", "endian.h",
                "libintl.h", "unistd.h", "arm_neon.h", "threads.h"} - set(HEADERS)


@pytest.mark.parametrize("header", HEADERS[::len(HEADERS) // 40])
def test_headers_of_the_system(work, header):
    """The default name changes, with a message; such a name is refused if it is requested."""
    stem = header[:-2]
    work.write("cut.lua", CUT)
    work.write(f"{stem}.lua", CUT)
    work.splitgen(f"{stem}.lua --emit=c,h,test -o out/",
                  err=f"note: the header is called '{stem}_splits.h': '{header}' is one of the system's")
    name = stem.rpartition("/")[2]
    work.expect_files(f"{name}.c", f"{name}_splits.h", f"{name}_test.c", folder="out")
    work.expect_file(f"out/{name}_test.c", f'#include "{name}_splits.h"')
    work.splitgen(f"cut.lua --header inc/{header}", 2,
                  err=regex(f"error: '{header}' is a header of the system.*as in '{stem}_splits.h'"))
    work.splitgen(f"cut.lua -o {header}", 2)


def test_string_h(work):
    work.write("cut.lua", CUT)
    work.write("string.lua", CUT)
    work.splitgen("cut.lua --emit=c,h -o string", err="the header is called 'string_splits.h'")
    work.splitgen("string.lua -o string.c", out="", err="")
    work.splitgen("cut.lua --header STRING.H", 2)
    work.splitgen("cut.lua --header vector", 2)
    work.splitgen("string.lua -o string.c --header mine.h", out="", err="")
