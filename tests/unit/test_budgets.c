/* Attacks on the limits of the Lua sandbox of specs: each is stopped by its count of instructions
 * or by its memory, with its message and place, however fast the machine is. What neither counts,
 * such as a pattern that matches for hours, ends with the processor time of the run: cli.limits. */
#include <stdlib.h>

#include "spec_run.h"

#define FEW_STEPS  INT64_C(1000000)
#define FEW_MEMORY ((size_t)8 << 20)
#define STEPS      "is still running after"
#define MEMORY     "needs more than"

/* Statements that do not end by themselves. */
static const struct {
    const char *text;
    const char *message; /* part of it */
} endless[] = {
    {"while true do end", STEPS},
    {"local function f() end while true do f() end", STEPS},
    {"while true do local t = {} end", STEPS},
    {"local i = 0 while true do i = i + 1 local t = 'a' .. i end", STEPS},
    {"local t = {} while true do t[#t + 1] = {} end", MEMORY},
    {"local s = 'x' while true do s = s .. s end", MEMORY},
    {"while true do ('x'):rep(1e9) end", MEMORY},
    {"while true do string.pack('c100000000', '') end", MEMORY},
    {"local s = ('x'):rep(10) while true do s:byte(1, 9) end", STEPS},
    {"local t = {} while true do table.insert(t, 1) end", STEPS},
    {"while true do ('aaaaaa'):find('a*a*b') end", STEPS},
    {"local s = ('a'):rep(1e5) s:gsub('a', ('b'):rep(1e5))", MEMORY},
    {"local t = {} for i = 1, 9e5 do t[i] = i end", MEMORY},
    {"local function f() return 1 + f() end f()", MEMORY},
};

static const char *const caught[] = {
    "local function f() pcall(f) end while true do f() end",
    "local function f() pcall(f) pcall(f) end f()",
    "local function f() return pcall(f) end while true do f() end",
    "local function f() xpcall(f, f) end while true do f() end",
    "while true do pcall(error, {}) end",
    "while true do pcall(string.rep, 'x', 1e9) end",
    "local function deep(n) return n > 0 and 1 + deep(n - 1) or 0 end "
    "while true do pcall(deep, 180000) end",
    "local m = {} m.__index = function(t, k) return t[k .. 'x'] end local t = setmetatable({}, m) "
    "while true do pcall(function() return t.x end) end",
    "local t = setmetatable({}, { __index = function(t, i) return i end }) for i in ipairs(t) do "
    "end",
    "local t = {} for i = 1, 9 do t['k' .. i] = i end while true do for k in pairs(t) do end end",
    "local t = {} for i = 1, 9 do t[i] = -i end while true do table.sort(t) end",
    "for i = 1, 1e7 do param('n' .. i, 1) end",
    "local l = {} while true do l[#l + 1] = setmetatable({}, {}) end",
    "local t <close> = setmetatable({}, { __close = function() while true do end end })",
};

/* Lua 5.4.4 uses the old stack after this has made a new one. */
static const char grows_in_concat[] =
    "local function deep(n) return n > 0 and 1 + deep(n - 1) or 0 end local m = {} "
    "local a = setmetatable({}, m) m.__concat = function(x) deep(900) return x end "
    "return a .. a .. a .. a .. a";

/* --- specs ------------------------------------------------------------------------------------ */

/* Runs the text as a spec and expects one error with this exit code, in this line or, if that is
 * 0, in any line but the first. */
static void attack_spec(const char *text, sg_exit exit, const char *message, size_t line)
{
    spec_run run = {.options = {.max_steps = FEW_STEPS, .max_memory = FEW_MEMORY}};
    run_spec(&run, text);
    assert_false(run.ok);
    if (message != NULL && strstr(run.next->message, message) == NULL) {
        fail_msg("%.300s: %s", text, run.next->message);
    }
    assert_int_equal(sg_diag_exit(&run.diag), exit);
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
    for (size_t i = 0; i < sizeof endless / sizeof endless[0]; ++i) {
        char text[200];
        snprintf(text, sizeof text, "local x\n%s\nx = 1", endless[i].text);
        attack_spec(text, SG_EXIT_BUDGET, endless[i].message, 2);
    }
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; ++i) {
        attack_spec(caught[i], SG_EXIT_BUDGET, NULL, 1);
    }
    attack_spec(grows_in_concat, SG_EXIT_INPUT, "attempt to concatenate a table", 1);
}

/* --- long texts ------------------------------------------------------------------------------- */

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

/* Long texts that are not attacks are loaded and run. */
static void long_texts_are_fine(void **state)
{
    (void)state;
    sg_buf buf = {0};
    spec_run run = {0};
    run_spec(&run, repeated(&buf, "local x = 0 if x == 1 then\n", "elseif x == %d then\n", 10000,
                            "end return split { axis = 1 }"));
    assert_true(run.ok);
    end_run(&run);
    run_spec(&run, repeated(&buf, "local t = {\n", "param('a%d', 1),\n", 50000,
                            "} return split { axis = 1 }"));
    assert_true(run.ok);
    end_run(&run);
    sg_buf_free(&buf);
}

static void deep_nesting_has_a_place(void **state)
{
    (void)state;
    sg_buf buf = {0};
    const char *message = "nested too deeply for Lua, which stops at 200 levels";
    attack_spec(repeated(&buf, "\nlocal x = ", "(", 300, "1"), SG_EXIT_INPUT, message, 2);
    sg_buf_free(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specs_end),
        cmocka_unit_test(long_texts_are_fine),
        cmocka_unit_test(deep_nesting_has_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
