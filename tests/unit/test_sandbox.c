/* Tests of the sandbox of specs: nothing escapes, every budget holds, nothing depends on hash
 * seeds, and errors of Lua have a place. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spec_run.h"

#include <lauxlib.h>
#include <lualib.h>

/* Runs statements that must succeed. */
static void expect_success(const char *statements)
{
    spec_run run = {0};
    char text[4096];
    snprintf(text, sizeof text, "%s\nreturn split { axis = 1 }", statements);
    run_spec(&run, text);
    if (!run.ok) {
        fail_msg("%s\nfailed with: %s", statements, run.diag.first->message);
    }
    end_run(&run);
}

static void test_no_way_out(void **state)
{
    (void)state;
    static const char *const gone[] = {
        "io",           "os",          "debug",    "package",     "load",
        "loadstring",   "dofile",      "loadfile", "warn",        "collectgarbage",
        "coroutine",    "string.dump", "newproxy", "math.random", "math.randomseed",
        "table.foreach"};
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "assert(%s == nil)", gone[i]);
        expect_success(text);
    }
    /* The complete list of globals. */
    expect_success("local all = {}\n"
                   "for k in pairs(_G) do all[#all + 1] = k end\n"
                   "assert(table.concat(all, ' ') == '_G _VERSION assert concat error free "
                   "getmetatable ipairs '"
                   " .. 'math next onnx openvino pairs param pcall print rawequal rawget rawlen '"
                   " .. 'rawset require select setmetatable split string table tonumber tostring '"
                   " .. 'type utf8 xpcall', table.concat(all, ' '))");
}

static void test_metatables(void **state)
{
    (void)state;
    expect_success("assert(getmetatable('') == 'string')\n"
                   "assert(not pcall(setmetatable, '', {}))\n"
                   "local op = split {}\n"
                   "assert(getmetatable(op) == 'splitgen' and type(op) == 'userdata')\n"
                   "assert(not pcall(setmetatable, op, {}))\n"
                   "assert(not pcall(rawset, op, 1, 2))\n"
                   "assert(not pcall(function() op.x = 1 end))\n"
                   "assert(not pcall(function() return op.x end))\n"
                   "assert(getmetatable(onnx) == 'splitgen')\n"
                   "assert(not pcall(setmetatable, onnx, {}))\n"
                   "assert(not pcall(setmetatable, {}, { __gc = function() end }))\n"
                   "assert(not pcall(setmetatable, {}, { __mode = 'k' }))\n"
                   "assert(not pcall(setmetatable, {}, { __concat = print }))\n"
                   "local m = {} local late = setmetatable({}, m)\n"
                   "m.__concat = function() return 1 end\n"
                   "assert(not pcall(function() return late .. late end))\n"
                   "local t = setmetatable({}, { __index = { a = 1 }, __metatable = 2 })\n"
                   "assert(t.a == 1 and getmetatable(t) == 2 and not pcall(setmetatable, t, {}))");
    /* A table that looks like an op is not one. */
    expect_error("return setmetatable({}, { __name = 'splitgen op', __index = split {} })",
                 "1:1-72", "the returned list is empty");
}

static void test_no_addresses(void **state)
{
    (void)state;
    expect_success("assert(tostring({}) == 'table' and tostring(print) == 'function')\n"
                   "assert(tostring(split {}) == 'op')\n"
                   "assert(('%s|%5s|%s'):format({}, print, nil) == 'table|function|nil')\n"
                   "assert(not pcall(string.format, '%p', {}))\n"
                   "assert(not pcall(string.format, '%-20p', {}))\n"
                   "assert(('%%p %d %q'):format(3, 'x') == '%p 3 \"x\"')\n"
                   "local t = setmetatable({}, { __tostring = function() return 'T' end })\n"
                   "assert(tostring(t) == 'T' and ('%s'):format(t) == 'T')\n"
                   "t = setmetatable({}, { __name = 'My' })\n"
                   "assert(tostring(t) == 'table')\n"
                   "assert(tostring(12) == '12' and tostring(1.5) == '1.5')");
}

static void test_bytecode(void **state)
{
    (void)state;
    expect_error("\x1bLua", "1:1-5", "attempt to load a binary chunk");
}

/* --- order --- */

static void test_pairs_order(void **state)
{
    (void)state;
    static const char text[] =
        "local t = { z = 1, a = 1, [true] = 1, [3] = 1, [-1] = 1, [2.5] = 1, [1] = 1, aa = 1,\n"
        "  [false] = 1, ['\\0'] = 1, [1e300] = 1, Z = 1, [-0.5] = 1 }\n"
        "local seen = {}\n"
        "for k, v in pairs(t) do seen[#seen + 1] = tostring(k):gsub('%z', '0') assert(v == 1) end\n"
        "local k, others = next(t), {}\n"
        "while k ~= nil do others[#others + 1] = tostring(k):gsub('%z', '0') k = next(t, k) end\n"
        "assert(table.concat(others, ' ') == table.concat(seen, ' '))\n"
        "error(table.concat(seen, ' '))";
    for (int i = 0; i < 5; i++) {
        expect_error(text, "8:1-31", "-1 1 3 -0.5 2.5 1e+300 0 Z a aa z false true");
    }
    expect_success("local n = 0\n"
                   "local t = { a = 1, b = 2, c = 3 }\n"
                   "for k in pairs(t) do t.b = nil n = n + 1 end\n"
                   "assert(n == 2 and next({}) == nil)\n"
                   "for k in pairs(t) do t[k] = nil end\n"
                   "assert(next(t) == nil)\n"
                   "assert(not pcall(pairs, { [{}] = 1 }))\n"
                   "assert(not pcall(next, { [print] = 1 }))\n"
                   "assert(not pcall(pairs, 5))");
}

static void test_sort(void **state)
{
    (void)state;
    expect_success("local t, s = {}, 7\n"
                   "for i = 1, 500 do s = (s * 16807) % 2147483647 t[i] = { s % 10, i } end\n"
                   "table.sort(t, function(a, b) return a[1] < b[1] end)\n"
                   "for i = 2, 500 do\n"
                   "  local a, b = t[i - 1], t[i]\n"
                   "  assert(a[1] < b[1] or (a[1] == b[1] and a[2] < b[2]))\n"
                   "end\n"
                   "local u = { 3, 1, 2 } table.sort(u) assert(table.concat(u) == '123')\n"
                   "table.sort({}) table.sort({ 1 })\n"
                   "assert(not pcall(table.sort, { 1, 'x' }))\n"
                   "assert(not pcall(table.sort, { 1 }, 5))\n"
                   "table.sort(u, function() return true end)");
}

/* --- budgets --- */

static void test_steps(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place;
    } cases[] = {
        {"while true do end", "1:1-18"},
        {"local x = 1\nrepeat\n  x = x\nuntil false", NULL},
        {"while true do pcall(error) end", "1:1-31"},
        {"local function f() while true do end end\npcall(f)\nwhile true do pcall(f) end",
         "1:1-41"},
        {"pcall(pcall, pcall, function() while true do end end)", "1:1-54"},
        {"xpcall(function() while true do end end, function() while true do end end)", "1:1-75"},
        {"local t <close> = setmetatable({}, { __close = function() while true do end end })",
         "1:1-83"},
        {"local t <close> = setmetatable({}, { __close = function() param 'n' end })\n"
         "while true do end",
         "2:1-18"},
        {"local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end })\n"
         "while true do pcall(function() return t[1] end) end",
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spec_run run = {.options = {.max_steps = 1000000}};
        run_spec(&run, cases[i].text);
        char place[64];
        if (run.next == NULL) {
            fail_msg("nothing stopped: %s", cases[i].text);
        }
        span_text(run.next->span, place, sizeof place);
        expect_at(&run, cases[i].place != NULL ? cases[i].place : place,
                  "the spec is still running after 1000000 instructions");
        assert_int_equal(sg_diag_exit(&run.diag), SG_EXIT_BUDGET);
        assert_false(run.ok);
        end_run(&run);
    }
}

static void test_few_steps(void **state)
{
    (void)state;
    for (int64_t steps = 1; steps < 300; steps += 7) {
        spec_run run = {.options = {.max_steps = steps}};
        run_spec(&run, "while true do end");
        assert_int_equal(sg_diag_exit(&run.diag), SG_EXIT_BUDGET);
        run.next = NULL;
        end_run(&run);
    }
}

static void test_ordinary_specs_are_cheap(void **state)
{
    (void)state;
    spec_run run = {.options = {.max_steps = 400000}};
    run_spec(&run, "local names, lengths = {}, {}\n"
                   "for i = 1, 2000 do names[i] = ('out%d'):format(i) lengths[i] = i end\n"
                   "for k, v in pairs { a = 1, b = 2 } do assert(tostring(k):match('^%a$')) end\n"
                   "return split { outputs = names, lengths = lengths }");
    assert_true(run.ok);
    assert_int_equal(run.ops.items[0]->lengths.count, 2000);
    end_run(&run);
}

static void test_memory(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "local t = {} while true do t[#t + 1] = {} end",
        "local s = 'x' while true do s = s .. s end",
        "local t = {} while true do pcall(function() t[#t + 1] = ('x'):rep(4096) end) end",
        "return ('x'):rep(1 << 30)",
        "local t = {} for i = 1, 1e5 do t[i] = 'abcdefgh' .. i end while true do t = { t, {} } end",
        "pcall(function() return ('x'):rep(1 << 30) end) while true do end",
        "xpcall(function() return ('x'):rep(1 << 30) end, print) return split {}",
        "while true do split { shape = { 1, 2 }, name = 'x' } end",
        "while true do pcall(split, 'f32[2] -> 1,1') end",
        "split(('f32[2] -> 1,1;'):rep(100000))",
        "while true do local a = param('a', 1) end",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spec_run run = {.options = {.max_memory = (size_t)8 << 20, .max_steps = 2000000000}};
        run_spec(&run, cases[i]);
        if (run.next == NULL) {
            fail_msg("nothing stopped: %s", cases[i]);
        }
        const char *message = run.next->message;
        char place[64];
        span_text(run.next->span, place, sizeof place);
        assert_memory_equal(place, "1:1-", 4);
        if (strstr(message, "the spec needs more than 8 MiB of memory") == NULL) {
            fail_msg("%s: %s", cases[i], message);
        }
        assert_int_equal(sg_diag_exit(&run.diag), SG_EXIT_BUDGET);
        run.next = run.next->next;
        end_run(&run);
    }
    for (size_t memory = 1; memory < 60000; memory += 997) {
        spec_run run = {.options = {.max_memory = memory}};
        run_spec(&run, "return split { shape = { 1, 2, 3 }, name = ('x'):rep(30) }");
        assert_true(run.ok || sg_diag_exit(&run.diag) == SG_EXIT_BUDGET);
        run.next = NULL;
        end_run(&run);
    }
}

static void test_garbage_is_collected_near_the_cap(void **state)
{
    (void)state;
    spec_run run = {.options = {.max_memory = (size_t)4 << 20}};
    run_spec(&run, "for i = 1, 20000 do local t = ('x'):rep(1000) .. i end return split {}");
    assert_true(run.ok);
    end_run(&run);
}

static void test_depth(void **state)
{
    (void)state;
    expect_error("local function f() return 1 + f() end\nreturn f()", "1:1-38", "stack overflow");
    expect_success(
        "local function f(n) return n > 0 and 1 + f(n - 1) or 0 end assert(f(50000) == 50000)");
    expect_success("local function f() return 1 + f() end\nassert(not pcall(f))");
    expect_success("local function f(n) if n > 0 then return f(n - 1) end end f(100000)");
    spec_run run = {0};
    char text[3000] = "return ";
    for (int i = 0; i < 400; i++) {
        strcat(text, "(");
    }
    run_spec(&run, text);
    expect_at(&run, "1:407-408", "nested too deeply for Lua");
    end_run(&run);
    expect_error("local s = 'return 1' for i = 1, 300 do s = pcall(pcall, error) end\n"
                 "local f = function() end for i = 1, 250 do local g = f f = function()\n"
                 "return (('x'):gsub('x', g)) end end return f()",
                 "3:15-19", "C stack overflow");
}

/* --- errors of Lua --- */

/* A text that ends inside a table, which begins at `opens`. */
static void expect_unclosed(const char *text, const char *end, const char *opens)
{
    spec_run run = {0};
    run_spec(&run, text);
    expect_at(&run, end, "the text ends, but '{' on line 1 is not closed: '}' is missing");
    expect_at(&run, opens, "it opens here");
    end_run(&run);
}

static void test_syntax_errors(void **state)
{
    (void)state;
    expect_error("local x = = 1", "1:11-12", "unexpected symbol near '='");
    expect_error("local x = 1 + + 1", "1:15-16", "unexpected symbol near '+'");
    expect_unclosed("return split { 1, 2", "1:20-20", "1:14-15");
    expect_error("local s = \"abc\nreturn s", "1:11-15", "unfinished string near");
    expect_error("local s = [[abc\n\n", "1:1-16", "unfinished long string");
    expect_error("x = 12abc", "1:5-10", "malformed number near '12abc'");
    expect_error("x = 'a\\q'", "1:5-9", "invalid escape sequence");
    expect_error("goto nowhere", "1:1-13", "no visible label 'nowhere'");
    expect_error("#!/usr/bin/env splitgen\n\nx = = 1", "3:5-6", "unexpected symbol near '='");
    spec_run run = {0};
    run_spec(&run, "if x then\n  y = 1\n\n-- the end\n");
    expect_at(&run, "2:8-8", "'end' expected (to close 'if' at line 1) near <eof>");
    expect_at(&run, "1:1-3", "it opens here");
    end_run(&run);
    run_spec(&run, "return split {\n  axis = 1\n  parts = 2\n}");
    expect_at(&run, "2:10-11", "a comma is missing after this, before 'parts'");
    end_run(&run);
}

static void test_runtime_errors(void **state)
{
    (void)state;
    expect_error("local x = 1\nreturn x + tbl.y", "2:12-15", "nil value (global 'tbl')");
    expect_error("return splt {}", "1:8-12", "(global 'splt'); did you mean 'split'?");
    expect_error("return io.open 'x'", "1:8-10", "; 'io' is not available in a spec");
    expect_error("return math.random()", "1:13-19", "; 'random' is not available in a spec");
    expect_error("local t = {}\nt.a.b = 1", "2:3-4", "(field 'a')");
    expect_error("error('my message')", "1:1-20", "my message");
    expect_error("local function f() error('deep', 2) end\nlocal x = 1\nf()", "3:1-4", "deep");
    expect_error("error('no place', 0)", "1:1-21", "no place");
    expect_error("error {}", "1:1-9", "the spec raised an error that is a table value");
    expect_error("error('')", "1:1-10", "the spec raised an error without a message");
    expect_error("error()", "1:1-8", "the spec raised an error that is a nil value");
    expect_error("error(setmetatable({}, { __tostring = function() return 'mine' end }))", "1:1-71",
                 "mine");
    expect_error("assert(false)", "1:1-14", "assertion failed!");
    expect_error("assert(nil, 'text')", "1:1-20", "text");
    expect_error("local x = ('x'):rep({})", "1:17-20", "bad argument #1 to 'rep'");
    expect_error("local ok, e = pcall(function()\n error('a') end)\nerror(e, 0)", "2:2-17", "a");
    expect_error("local x = 1 < 'x'", "1:1-18", "attempt to compare number with string");
}

static void test_long_file_names(void **state)
{
    (void)state;
    spec_run run = {0};
    const char *name = "a/very/long/path/that/lua/cuts/in/its/messages/because/it/is/longer/than/"
                       "sixty/bytes/spec.lua";
    run_spec_as(&run, name, "\nerror('x')");
    expect_at(&run, "2:1-11", "x");
    end_run(&run);
    run_spec_as(&run, name, "\nx = = 1");
    assert_string_equal(run.next->message, "unexpected symbol near '='");
    assert_string_equal(run.next->span.source->name, name);
    expect_at(&run, "2:5-6", "");
    end_run(&run);
}

/* --- require --- */

static char folder[] = "/tmp/splitgen-sandbox-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int make_files(void **state)
{
    (void)state;
    static const char *const folders[] = {"lib", "inc", "inc/deep"};
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, folders[i]);
        if (mkdir(path, 0700) != 0) {
            return -1;
        }
    }
    write_file("one.lua", "local name = ...\nassert(name == 'one')\ncount = (count or 0) + 1\n"
                          "return { n = 5 }");
    write_file("nothing.lua", "x = 1");
    write_file("lib/sub.lua", "return require 'helper'");
    write_file("lib/helper.lua", "return 'lib helper'");
    write_file("helper.lua", "return 'top helper'");
    write_file("inc/only.lua", "return 'only'");
    write_file("inc/helper.lua", "return 'inc helper'");
    write_file("inc/deep/er.lua", "return 'deeper'");
    write_file("bad.lua", "local x = = 1");
    write_file("raises.lua", "\nlocal t = nil\nreturn t.x");
    write_file("raises2.lua", "return require 'raises'");
    write_file("a.lua", "return require 'b'");
    write_file("b.lua", "return require 'a'");
    write_file("spec.lua", "");
    write_file("self.lua", "return require 'spec'");
    write_file("ops.lua", "return { make = function(n)\n  return split { axis = n }\nend }");
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command) == 0 ? 0 : -1;
}

static void run_here(spec_run *run, const char *text)
{
    char name[256];
    snprintf(name, sizeof name, "%s/spec.lua", folder);
    run_spec_as(run, name, text);
}

static void test_require(void **state)
{
    (void)state;
    char include[256];
    snprintf(include, sizeof include, "%s/inc", folder);
    const char *dirs[] = {"/nonexistent/", include};
    spec_run run = {.options = {.include_dirs = dirs, .ninclude_dirs = 2}};
    run_here(&run, "assert(require('one').n == 5 and require 'one' == require('one'))\n"
                   "assert(count == 1)\n"
                   "assert(require 'nothing' == true)\n"
                   "assert(require 'lib.sub' == 'lib helper')\n"
                   "assert(require 'helper' == 'top helper')\n"
                   "assert(require 'only' == 'only')\n"
                   "assert(require 'deep.er' == 'deeper')\n"
                   "return split {}");
    assert_true(run.ok);
    static const char *const read[] = {"one.lua",        "nothing.lua", "lib/sub.lua",
                                       "lib/helper.lua", "helper.lua",  "inc/only.lua",
                                       "inc/deep/er.lua"};
    assert_int_equal(run.files.count, 7);
    for (size_t i = 0; i < 7; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, read[i]);
        assert_string_equal(run.files.items[i].path, path);
    }
    end_run(&run);
}

static void test_require_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *message;
    } cases[] = {
        {"require 'missing'", "1:9-18", "there is no file to require here; looked for '"},
        {"require '../one'", "1:9-17", "'../one' cannot be required"},
        {"require '..one'", "1:9-16", "'..one' cannot be required"},
        {"require '/etc/passwd'", "1:9-22", "'/etc/passwd' cannot be required"},
        {"require ''", "1:9-11", "'' cannot be required"},
        {"require 'one.'", "1:9-15", "'one.' cannot be required"},
        {"require 'lib'", "1:9-14", "there is no file to require here"},
        {"require 'a\\0b'", "1:9-15", "'a' cannot be required"},
        {"require(5)", "1:1-11", "require takes the name of a file"},
        {"require()", "1:1-10", "require takes the name of a file"},
        {"require 'spec'", "1:9-15", "is required while it is still being run"},
        {"require 'self'", NULL, "is required while it is still being run"},
        {"require 'a'", NULL, "is required while it is still being run"},
        {"require 'bad'", "1:11-12", "unexpected symbol near '='"},
        {"require 'raises'", "3:8-9", "attempt to index a nil value (local 't')"},
        {"local x\nrequire 'raises2'", "3:8-9", "attempt to index a nil value (local 't')"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        spec_run run = {0};
        run_here(&run, cases[i].text);
        char place[64];
        assert_non_null(run.next);
        span_text(run.next->span, place, sizeof place);
        expect_at(&run, cases[i].place != NULL ? cases[i].place : place, cases[i].message);
        assert_int_equal(sg_diag_exit(&run.diag), SG_EXIT_INPUT);
        while (run.next != NULL && run.next->severity == SG_NOTE) {
            assert_non_null(strstr(run.next->message, "is required here"));
            run.next = run.next->next;
        }
        end_run(&run);
    }
}

static void test_errors_in_required_files(void **state)
{
    (void)state;
    spec_run run = {0};
    run_here(&run, "local x\nrequire 'raises2'");
    assert_non_null(strstr(run.next->span.source->name, "/raises.lua"));
    expect_at(&run, "3:8-9", "attempt to index");
    assert_non_null(strstr(run.next->span.source->name, "/raises2.lua"));
    expect_at(&run, "1:16-24", "'raises' is required here");
    assert_non_null(strstr(run.next->span.source->name, "/spec.lua"));
    expect_at(&run, "2:9-18", "'raises2' is required here");
    end_run(&run);

    /* The error of a missing file can be caught, and then leaves no trace. */
    run_here(&run, "pcall(require, 'raises2') pcall(require, 'missing')\nerror 'x'");
    expect_at(&run, "2:1-10", "x");
    end_run(&run);

    run_here(&run, "local ops = require 'ops'\nlocal op = ops.make('x')\nreturn op");
    assert_non_null(strstr(run.next->span.source->name, "/ops.lua"));
    expect_at(&run, "2:25-26", "'axis' must be an integer");
    assert_non_null(strstr(run.next->span.source->name, "/spec.lua"));
    expect_at(&run, "2:1-25", "called from here");
    end_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_way_out),
        cmocka_unit_test(test_metatables),
        cmocka_unit_test(test_no_addresses),
        cmocka_unit_test(test_bytecode),
        cmocka_unit_test(test_pairs_order),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_few_steps),
        cmocka_unit_test(test_ordinary_specs_are_cheap),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_garbage_is_collected_near_the_cap),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_syntax_errors),
        cmocka_unit_test(test_runtime_errors),
        cmocka_unit_test(test_long_file_names),
        cmocka_unit_test(test_require),
        cmocka_unit_test(test_require_errors),
        cmocka_unit_test(test_errors_in_required_files),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
