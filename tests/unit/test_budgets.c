/* Attacks on the budgets of the two Lua sandboxes, of specs and of templates: each is stopped
 * with its message and place, or finishes quickly. The counts that stop them never read a clock.
 * Only this test does, generously, to check that the counts are proportional to time. */
#include <stdlib.h>
#include <time.h>

#include "spec_run.h"
#include "emit/sandbox.h"
#include "template_fixture.h"

/* Seconds of processor time for one attack on a slow machine; none needs a fifth of it.
 * Sanitized or unoptimised code takes several times as long. */
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
#define SECONDS_MAX 20.0
#else
#define SECONDS_MAX 5.0
#endif
#define FEW_STEPS (SG_SPEC_DEFAULT_STEPS / 10)

/* Both sandboxes count with the same code, so they share half of the attacks in short runs: of
 * each STRIDE, the one of specs takes the first, that of templates the last. Of those for specs
 * alone it also takes the first of each STRIDE; of those for templates alone every third. */
#ifdef SPLITGEN_EXHAUSTIVE
#define STRIDE 1
#else
#define STRIDE 10
#endif

#define STEPS "is still running after"

/* Attacks on both sandboxes: statements that do not end by themselves. */
static const struct {
    const char *text;
    const char *message; /* part of it; NULL: either budget */
} endless[] = {
    {"while true do end", STEPS},
    {"local function f() end while true do f() end", STEPS},
    {"while true do local t = {} end", NULL},
    {"local i = 0 while true do i = i + 1 local t = 'a' .. i end", NULL},
    {"while true do ('x'):rep(1e8) end", NULL},
    {"while true do (''):rep(1e15) end", STEPS},
    {"local s = ('X'):rep(1e7) while true do s:lower() end", NULL},
    {"local s = ('X'):rep(1e7) while true do s:reverse() end", NULL},
    {"local s = ('X'):rep(1e7) while true do s:sub(2) end", NULL},
    {"local s = ('x'):rep(1e7) while true do s:byte(1, 900000) end", STEPS},
    {"local s = ('x'):rep(1e5) while true do string.char(s:byte(1, 100000)) end", NULL},
    {"local s = ('X'):rep(1e7) while true do ('%.1s'):format(s) end", STEPS},
    {"local s = ('%%'):rep(1e7) while true do s:format() end", NULL},
    {"local s = ('X'):rep(1e7) while true do string.pack('s', s) end", NULL},
    {"while true do string.pack('c100000000', '') end", NULL},
    {"local s = (' '):rep(1e7) while true do string.packsize(s) end", STEPS},
    {"local s = (' '):rep(1e7) while true do string.unpack(s, 'x') end", STEPS},
    {"local s = ('X'):rep(1e7) .. '\\0' while true do string.unpack('z', s) end", NULL},
    {"local s = (' '):rep(1e7) .. '1' while true do tonumber(s) end", STEPS},
    {"local s = ('1'):rep(1e7) while true do tonumber(s, 16) end", STEPS},
    {"local s = (' '):rep(1e7) .. '1' while true do local x = s + 1 end", STEPS},
    {"local s = (' '):rep(1e7) .. '1' while true do math.abs(s) end", STEPS},
    {"local s = ('a'):rep(1e7) local t = s .. 'b' while true do local x = s < t end", STEPS},
    {"local s = ('a'):rep(1e7) while true do local x = s .. 'b' end", NULL},
    {"local s = ('a'):rep(1e7) while true do s:find('b', 1, true) end", STEPS},
    {"local s = ('a'):rep(1e6) while true do s:find(('a'):rep(5e5) .. 'b', 1, true) end", NULL},
    {"local s = ('a'):rep(1e6) s:find('a*b') s:find('a*b') s:find('a*a*a*b')", STEPS},
    {"local s = ('a'):rep(1e7) while true do ('x'):find(s) end", STEPS},
    {"while true do ('aaaaaaaaaaaaaaaaaaaaaaaaaa'):find('a*a*b') end", STEPS},
    {"local s = ('a'):rep(1e6) while true do s:gsub('b', '') end", STEPS},
    {"local s = ('a'):rep(1e5) s:gsub('a', ('b'):rep(1e5))", NULL},
    {"local s = ('a'):rep(1e7) while true do s:gmatch('b')() end", STEPS},
    {"return ('a'):rep(60):find(('a*'):rep(30) .. 'b')", STEPS},
    {"local t = {} for i = 1, 1e5 do t[i] = '' end while true do table.concat(t) end", STEPS},
    {"local t = {} local s = ('X'):rep(1e6) for i = 1, 100 do t[i] = s end "
     "while true do table.concat(t) end",
     NULL},
    {"local t = {} while true do table.insert(t, 1, 1) end", STEPS},
    {"local t = {} for i = 1, 1e6 do t[i] = i end while true do t[#t + 1] = table.remove(t, 1) end",
     STEPS},
    {"while true do table.move({}, 1, 1e8, 2) end", NULL},
    {"local t = {} for i = 1, 9e5 do t[i] = i end while true do table.unpack(t) end", STEPS},
    {"local t = {} for i = 1, 9e5 do t[i] = i end while true do table.pack(table.unpack(t)) end",
     NULL},
    {"local s = ('a'):rep(1e5) while true do s:gsub('%f[' .. ('b'):rep(1e5) .. ']', '') end",
     STEPS},
    {"local t = {} for i = 1, 9e5 do t[i] = i end while true do select('#', table.unpack(t)) end",
     STEPS},
    /* Many values passed from call to call. */
    {"local t = {} for i = 1, 9e5 do t[i] = i end "
     "local function f(n) if n > 0 then return 1, f(n - 1) end return table.unpack(t) end "
     "while true do f(900) end",
     NULL},
    /* A full table is copied for every new key. */
    {"local t = {} for i = 1, (1 << 20) - 1 do t[i + 0.5] = 1 end local i = 1 "
     "while true do t[i + 0.5] = nil t[-i - 0.5] = 1 i = i + 1 end",
     NULL},
};

static const char *const only_specs[] = {
    "local function f() pcall(f) end while true do f() end",
    "local function f() pcall(f) pcall(f) end f()",
    "local function f() return pcall(f) end while true do f() end",
    "local function f() xpcall(f, f) end while true do f() end",
    "while true do pcall(error, {}) end",
    "local s = ('a'):rep(1e7) while true do pcall(error, s, 2) end",
    "local m = {} m.__index = function(t, k) return t[k .. 'x'] end local t = setmetatable({}, m) "
    "while true do pcall(function() return t.x end) end",
    "local t = setmetatable({}, { __index = function(t, i) return i end }) for i in ipairs(t) do "
    "end",
    "local s = ('x'):rep(1e7) while true do utf8.len(s) end",
    "local s = ('x'):rep(1e7) while true do utf8.codepoint(s, 1, 900000) end",
    "local s = ('\\x80'):rep(1e7) while true do utf8.offset(s, 0, 1e7) end",
    "local s = 'a' .. ('\\x80'):rep(1e7) local f = utf8.codes('a') while true do pcall(f, s, 1) "
    "end",
    "local t = {} for i = 1, 1e6 do t[i] = i end while true do next(t) end",
    "local t = {} for i = 1, 1e6 do t[i] = i end for i = 1, 1e6 do t[i] = nil end "
    "while true do next(t) end",
    "local t = {} for i = 1, 1e5 do t['k' .. i] = i end for i = 1, 1e5 do t['k' .. i] = nil end "
    "while true do pairs(t) end",
    "local t = {} for i = 1, 1e5 do t['k' .. i] = i end while true do pairs(t) end",
    "local t = {} for i = 1, 1e5 do t['k' .. i] = i end while true do for k in pairs(t) do end end",
    "local t = {} for i = 1, 1e5 do t['k' .. i] = i end while true do next(t) end",
    "local t = {} for i = 1, 1e5 do t['k' .. i] = i end local k while true do k = next(t, k) end",
    "local t = {} for i = 1, 1e5 do t[('k'):rep(39) .. i] = i end while true do pairs(t) end",
    "local t = {} for i = 1, 1e5 do t[i] = -i end while true do table.sort(t) end",
    "local t = {} for i = 1, 200 do t[i] = ('x'):rep(1e6) .. i end while true do table.sort(t) end",
    "while true do ('%99.99f'):format(1e308) end",
    "for i = 1, 1e7 do param('n' .. i, 1) end",
    "for i = 1, 1e7 do param(('n'):rep(1e7) .. i, 1) end",
};

/* Chains of tables within one instruction; fields set before and after setmetatable. `chain` is
 * the first of `count` tables, whose metatables have the next one as this field. */
#define CHAIN(field, count)                                                                        \
    "local chain = type for i = 1, " #count " do local m = {} local t = setmetatable({}, m) "      \
    "m." field " = chain chain = t end "
#define TEN_TIMES(text) text text text text text text text text text text

static const char *const chains[] = {
    "local m = {} setmetatable(m, m) m.__call = m m()",
    "local m = {} setmetatable(m, m) m.__call = m while true do pcall(m) end",
    "local m = setmetatable({}, {}) rawset(getmetatable(m), '__call', m) m()",
    "local a, b = {}, {} setmetatable(a, b) setmetatable(b, a) a.__call = b b.__call = a a()",
    /* The stack is large before the chain fills it. */
    "local t = {} for i = 1, 9e5 do t[i] = i end local m = {} setmetatable(m, m) m.__call = m "
    "select('#', table.unpack(t)) m()",
    CHAIN("__call", 100) "while true do chain() end",
    CHAIN("__call", 1000) "while true do chain() end",
    CHAIN("__call", 100000) "while true do chain() end",
    CHAIN("__index", 100) "while true do local x = chain.x end",
    CHAIN("__index", 1900) "while true do local x = chain.x end",
    CHAIN("__index", 2100) "while true do pcall(function() return chain.x end) end",
    CHAIN("__newindex", 1900) "while true do chain.x = nil end",
    "local m = {} m.__index = m setmetatable(m, m) while true do pcall(function() return m.x end) "
    "end",
    /* The chain is only linked for so short a time that no budget check sees it. */
    CHAIN("__index", 1900) "local m = {} local t = setmetatable({}, m) while true do "
                           "m.__index = chain local x = t.x m.__index = nil end",
    /* Many calls in one instruction, and many fields in one call. */
    CHAIN("__call", 1000) "local m = {} local a = setmetatable({}, m) m.__close = chain while true "
                          "do " TEN_TIMES("local x <close> = a ") "end",
    CHAIN("__index", 1000) "while true do table.unpack(chain, 1, 1e4) end",
    CHAIN("__index", 1000) "while true do table.concat(chain, '', 1, 1e4) end",
    CHAIN("__index", 1000) "while true do table.move(chain, 1, 1e4, 1, {}) end",
    CHAIN("__index", 1000) "local s = ('a'):rep(1e5) while true do s:gsub('a', chain) end",
    "local l = {} while true do l[#l + 1] = setmetatable({}, {}) end",
};

/* Lua 5.4.4 uses the old stack after this has made a new one. */
static const char grows_in_concat[] =
    "local function deep(n) return n > 0 and 1 + deep(n - 1) or 0 end local m = {} "
    "local a = setmetatable({}, m) m.__concat = function(x) deep(900) return x end "
    "return a .. a .. a .. a .. a";

static const char *const only_templates[] = {
    "local t = {} for i = 1, 1e5 do t[i] = i end while true do keys(t) end",
    ("local t = {} for i = 1, 1e6 do t[i] = i end for i = 1, 1e6 do t[i] = nil end "
     "while true do keys(t) end"),
    "local s = ('x'):rep(1e7) while true do json(s) end",
    "while true do map({1}, function() end) end",
    "while true do local x = unit.kernels end",
};

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void assert_quick(double start, const char *what)
{
    if (seconds() - start > SECONDS_MAX) {
        fail_msg("%.1f s for: %.300s", seconds() - start, what);
    }
}

/* --- specs ------------------------------------------------------------------------------------ */

/* Runs the text as a spec and expects one error with this exit code, in this line or, if that is
 * 0, in any line but the first. */
static void attack_spec(const char *text, int64_t steps, sg_exit exit, const char *message,
                        size_t line)
{
    spec_run run = {.options = {.max_steps = steps}};
    const double start = seconds();
    run_spec(&run, text);
    assert_quick(start, text);
    assert_false(run.ok);
    assert_int_equal(sg_diag_exit(&run.diag), exit);
    if (message != NULL && strstr(run.next->message, message) == NULL) {
        fail_msg("%.300s: %s", text, run.next->message);
    }
    size_t at_line = 0;
    size_t at_column = 0;
    assert_non_null(run.next->span.source);
    sg_source_locate(run.next->span.source, run.next->span.begin, &at_line, &at_column);
    assert_int_equal(at_line, line > 0 ? line : at_line);
    assert_true(at_line > 1 || line > 0);
    run.next = NULL;
    end_run(&run);
}

static void specs_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof endless / sizeof endless[0]; i += STRIDE) {
        attack_spec(endless[i].text, FEW_STEPS, SG_EXIT_BUDGET, endless[i].message, 1);
    }
    for (size_t i = 0; i < sizeof only_specs / sizeof only_specs[0]; i += STRIDE) {
        attack_spec(only_specs[i], FEW_STEPS, SG_EXIT_BUDGET, NULL, 1);
    }
}

static void chains_of_tables_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; ++i) {
        attack_spec(chains[i], FEW_STEPS, SG_EXIT_BUDGET, NULL, 1);
    }
    attack_spec(grows_in_concat, FEW_STEPS, SG_EXIT_INPUT, "attempt to concatenate a table", 1);
}

/* Work that no count covers is charged by its time: keys that collide, and comparing zero by
 * zero. */
static void time_is_paid(void **state)
{
    (void)state;
    attack_spec("local t = {} for i = 1, 3e4 do t[i * ((1 << 30) - 1)] = 1 end "
                "while true do for i = 1, 3e4 do local x = t[i * ((1 << 30) - 1)] end end",
                FEW_STEPS, SG_EXIT_BUDGET, "kept the processor busy", 1);
    attack_spec("local a, b = ('\\0'):rep(255), ('\\0'):rep(255) while a <= b do end", FEW_STEPS,
                SG_EXIT_BUDGET, "kept the processor busy", 1);
}

/* Objects cost the same regardless of how many their class has. */
static void classes_are_cheap(void **state)
{
    (void)state;
    enum { STEPS_OF_ALL = 400000 };
    spec_run run = {.options = {.max_steps = STEPS_OF_ALL}};
    run_spec(&run, "local Base = {} Base.__index = Base "
                   "function Base:axis() return self.at end "
                   "local Class = setmetatable({}, Base) Class.__index = Class "
                   "local objects = {} "
                   "for i = 1, 1000 do objects[i] = setmetatable({ at = 1 }, Class) end "
                   "local sum = 0 "
                   "for _, o in ipairs(objects) do sum = sum + o:axis() end "
                   "return split { axis = sum // 1000 }");
    assert_true(run.ok);
    end_run(&run);
}

/* --- templates -------------------------------------------------------------------------------- */

/* The same for a template. Lines are those of the file. */
static void attack_template(fixture *f, const char *text, sg_exit exit, const char *message,
                            size_t line, size_t column)
{
    const sg_emit_options options = {.template_dir = f->dir};
    sg_diag_init(&f->diag, &f->arena);
    write_file(f, "t.tmpl", text);
    const double start = seconds();
    f->out.len = 0;
    assert_false(sg_emit(&f->arena, &f->diag, &options, "t.tmpl", &f->unit, &f->out));
    assert_quick(start, text);
    assert_int_equal(sg_diag_exit(&f->diag), exit);
    const sg_diag_entry *entry = f->diag.first;
    if (message != NULL && strstr(entry->message, message) == NULL) {
        fail_msg("%.300s: %s", text, entry->message);
    }
    if (line > 0) {
        assert_place(f, entry, entry->message, "t.tmpl", line, column);
    } else {
        assert_non_null(entry->span.source);
        assert_true(entry->span.begin > 0);
    }
}

static int ignore(lua_State *L)
{
    (void)L;
    return 0;
}

static void sandboxes_end(void **state)
{
    (void)state;
    const sg_sandbox_limits limits = {.memory = SG_SPEC_DEFAULT_MEMORY, .steps = FEW_STEPS};
    for (size_t i = STRIDE - 1; i < sizeof endless / sizeof endless[0]; i += STRIDE) {
        sg_sandbox box;
        assert_true(sg_sandbox_open(&box, limits, NULL, NULL));
        const double start = seconds();
        const sg_sandbox_result result =
            sg_sandbox_template(&box, sg_str_from(endless[i].text), 3, ignore);
        assert_quick(start, endless[i].text);
        assert_int_equal(result, SG_SANDBOX_BUDGET);
        if (endless[i].message != NULL && strstr(box.message.ptr, endless[i].message) == NULL) {
            fail_msg("%.300s: %s", endless[i].text, box.message.ptr);
        }
        assert_int_equal(box.nplaces, 1);
        assert_int_equal(box.places[0].chunk, 3);
        assert_int_equal(box.places[0].line, 1);
        sg_sandbox_close(&box);
    }
}

static void templates_end(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < sizeof only_templates / sizeof only_templates[0]; i += 1 + STRIDE / 5) {
        attack_template(f, sg_arena_printf(&f->arena, "$ %s\n", only_templates[i]), SG_EXIT_BUDGET,
                        NULL, 1, 1);
    }
    attack_template(f, "$ local s = ('x'):rep(1e6)\n$ while true do\n${s}\n$ end\n", SG_EXIT_BUDGET,
                    NULL, 3, 1);
    attack_template(f, "$ local s = ''\n$ while true do\n${s}${s}\n$ end\n", SG_EXIT_BUDGET, NULL,
                    3, 1);
}

static void templates_do_not_nest_without_end(void **state)
{
    fixture *f = *state;
    attack_template(f, "$ local function f() return 1 + f() end\n$ f()\n", SG_EXIT_INPUT,
                    "calls are nested more than 1000 deep", 1, 1);
    attack_template(f, "$ local function f(...) return f(1, ...) end\n$ f()\n", SG_EXIT_INPUT,
                    "a call has more than 250 extra arguments", 1, 1);
}

/* --- budgets for reading text ----------------------------------------------------------------- */

/* head, then `item` `count` times with its number for %d, then tail. */
static const char *repeated(sg_buf *buf, const char *head, const char *item, int times,
                            const char *tail)
{
    buf->len = 0;
    sg_buf_addz(buf, head);
    for (int i = 0; i < times; ++i) {
        const char *number = strstr(item, "%d");
        sg_buf_add(buf, item, number != NULL ? (size_t)(number - item) : strlen(item));
        if (number != NULL) {
            sg_buf_printf(buf, "%d%s", i, number + 2);
        }
    }
    sg_buf_addz(buf, tail);
    return buf->ptr;
}

/* Lua's compiler is quadratic in jumps. */
static void texts_are_loaded_within_the_budget(void **state)
{
    fixture *f = *state;
    sg_buf buf = {0};
    attack_spec(
        repeated(&buf, "local x = 0 if x == 1 then\n", "elseif x == %d then\n", 100000, "end"), 0,
        SG_EXIT_BUDGET, STEPS, 0);
#ifdef SPLITGEN_EXHAUSTIVE
    attack_spec(
        repeated(&buf, "local x = 0 if x == 1 then ", "elseif x == %d then ", 100000, "end"), 0,
        SG_EXIT_BUDGET, STEPS, 1);
    attack_spec(repeated(&buf, "local x = 0\nlocal y = x", " and\nx", 200000, "\n"), 0,
                SG_EXIT_BUDGET, STEPS, 0);
    attack_spec(repeated(&buf, "local x = 0 local y = x", " or x", 200000, "\n"), 0, SG_EXIT_BUDGET,
                STEPS, 1);
#endif
    attack_template(f,
                    repeated(&buf, "$ local x = 0 if x == 1 then\n", "$ elseif x == %d then\n",
                             100000, "$ end\n"),
                    SG_EXIT_BUDGET, STEPS, 0, 1);
    attack_template(f, repeated(&buf, "a\n${x", " and x", 200000, "}\n"), SG_EXIT_BUDGET, STEPS, 2,
                    1);

    /* Long texts that are not attacks are loaded and run. */
    spec_run run = {0};
    run_spec(&run, repeated(&buf, "local x = 0 if x == 1 then\n", "elseif x == %d then\n", 10000,
                            "end return split { axis = 1 }"));
    assert_true(run.ok);
    end_run(&run);
    sg_buf_free(&buf);
}

static void deep_nesting_has_a_place(void **state)
{
    fixture *f = *state;
    sg_buf buf = {0};
    const char *message = "nested too deeply for Lua, which stops at 200 levels";
    attack_spec(repeated(&buf, "\nlocal x = ", "(", 300, "1"), 0, SG_EXIT_INPUT, message, 2);
    attack_template(f, repeated(&buf, "a\n$ local x = ", "(", 300, "1\n"), SG_EXIT_INPUT, message,
                    2, 1);
    attack_template(f, repeated(&buf, "a\nb ${", "(", 300, "1}\n"), SG_EXIT_INPUT, message, 2, 3);
    attack_template(f, repeated(&buf, "", "${1}", 100000, "\n"), SG_EXIT_INPUT,
                    "more than 100 '${...}' on one line", 1, 401);
    attack_template(f, repeated(&buf, "", "${ ", 200000, "\n"), SG_EXIT_INPUT,
                    "'${' is not closed on this line", 1, 1);
    sg_buf_free(&buf);
}

/* Places are searched in the text: calls on one line, calls on many, fields of a table. */
static void places_are_found_within_the_budget(void **state)
{
    (void)state;
    sg_buf buf = {0};
    attack_spec(repeated(&buf, "local t = {", "param('a%d', 1),", 50000, "}"), 0, SG_EXIT_BUDGET,
                NULL, 1);
#ifdef SPLITGEN_EXHAUSTIVE
    attack_spec(repeated(&buf, "split {", "a%d=1,", 100000, "}"), 0, SG_EXIT_BUDGET, NULL, 1);
#endif
    spec_run run = {0};
    const double start = seconds();
    run_spec(&run, repeated(&buf, "local t = {\n", "param('a%d', 1),\n", 50000,
                            "} return split { axis = 1 }"));
    assert_quick(start, "params on 50000 lines");
    assert_true(run.ok);
    end_run(&run);
    sg_buf_free(&buf);
}

/* --- long names
 * --------------------------------------------------------------------------------- */

static void wide_columns_are_laid_out_at_once(void **state)
{
    fixture *f = *state;
    const sg_emit_options options = {.template_dir = f->dir};
    write_file(f, "t.tmpl",
               "$ local long = ('x'):rep(1e6)\n"
               "$ local lines = columns({{'a', '', ''}, {long, long, ''}, {'', 'b', ' '}}, 'lll')\n"
               "${lines[1]}|${#lines[2]}|${#lines[3]}|${lines[3]:sub(-2)}|\n");
    const double start = seconds();
    assert_true(sg_emit(&f->arena, &f->diag, &options, "t.tmpl", &f->unit, &f->out));
    assert_quick(start, "columns");
    assert_string_equal(f->out.ptr, "a|2000002|1000003| b|\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specs_end),
        cmocka_unit_test(chains_of_tables_end),
        cmocka_unit_test(time_is_paid),
        cmocka_unit_test(classes_are_cheap),
        cmocka_unit_test(sandboxes_end),
        TEST(templates_end),
        TEST(templates_do_not_nest_without_end),
        TEST(texts_are_loaded_within_the_budget),
        TEST(deep_nesting_has_a_place),
        cmocka_unit_test(places_are_found_within_the_budget),
        TEST(wide_columns_are_laid_out_at_once),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
