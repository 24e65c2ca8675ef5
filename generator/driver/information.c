/* Selects the text for an option that only prints information, and prints it. usage.c makes the
 * texts. */
#include "driver/information.h"

#include <string.h>

#include "base/file.h"
#include "base/system.h"
#include "driver/advice.h"
#include "driver/deliver.h"
#include "driver/targets.h"
#include "driver/texts.h"
#include "driver/usage.h"
#include "emit/emit.h"
#include "shapes/rules_text.h"

/* In the order of precedence. */
static const sg_option_id informative[] = {SG_OPT_HELP, SG_OPT_VERSION, SG_OPT_PRINT};

static sg_option_id first(const sg_options *options)
{
    for (size_t i = 0; i < sizeof informative / sizeof informative[0]; i++) {
        if (sg_options_has(options, informative[i])) {
            return informative[i];
        }
    }
    return SG_OPT_COUNT;
}

bool sg_information_wanted(const sg_options *options)
{
    return first(options) != SG_OPT_COUNT;
}

static void add_shape_rules(sg_buf *out)
{
    const char *name = NULL;
    size_t len = 0;
    const char *text = NULL;
    for (int64_t i = 0; (text = sg_graph_rules_text(i, &name, &len)) != NULL; i++) {
        sg_buf_add(out, text, len);
    }
}

/* Finds the CMake package relative to the program, so that both can be moved together: where `cmake
 * --install` puts it, or at the top of the build tree. */
static bool add_cmake_dir(sg_arena *arena, sg_diag *diag, sg_span span, sg_buf *out)
{
    static const char *const from_program[] = {SG_CMAKE_DIR_FROM_BINDIR, ".."};
    const char *program = sg_system_program(arena);
    if (program == NULL) {
        return sg_diag_fail(diag, SG_EXIT_IO, span,
                            "this system does not report the path of splitgen");
    }
    const char *bindir = sg_path_dir(arena, program);
    for (size_t i = 0; i < sizeof from_program / sizeof from_program[0]; i++) {
        const char *name = sg_path_join(arena, bindir, from_program[i]);
        const char *folder = sg_system_real_path(arena, name);
        if (folder != NULL && sg_file_exists(sg_path_join(arena, name, "splitgen-config.cmake"))) {
            sg_buf_printf(out, "%s\n", folder);
            return true;
        }
    }
    return sg_diag_fail(diag, SG_EXIT_IO, span,
                        "there is no CMake package in '%s%s'; install the component 'tool'", bindir,
                        from_program[0]);
}

/* The text of each topic of --help. */
static void (*const topics[])(sg_buf *out) = {[SG_TOPIC_OPTIONS] = sg_usage_help,
                                              [SG_TOPIC_TYPES] = sg_usage_types,
                                              [SG_TOPIC_JSON] = sg_usage_json};

static bool print_text(sg_arena *arena, sg_diag *diag, const sg_option_value *what, sg_buf *out)
{
    switch (what->number) {
    case SG_PRINT_MAN:
        sg_usage_man(out);
        return true;
    case SG_PRINT_MAN_RUNTIME:
        sg_buf_add(out, sg_text_man_runtime, sg_text_man_runtime_len);
        return true;
    case SG_PRINT_BASH:
        sg_usage_bash(out);
        return true;
    case SG_PRINT_ZSH:
        sg_usage_zsh(out);
        return true;
    case SG_PRINT_FISH:
        sg_usage_fish(out);
        return true;
    case SG_PRINT_LUA_API:
        sg_usage_lua_api(out);
        return true;
    case SG_PRINT_SHAPE_RULES:
        add_shape_rules(out);
        return true;
    default:
        return add_cmake_dir(arena, diag, what->items[0].span, out);
    }
}

static bool make_text(sg_arena *arena, sg_diag *diag, const sg_options *options, sg_option_id id,
                      sg_buf *out)
{
    if (id == SG_OPT_PRINT) {
        return print_text(arena, diag, &options->values[id], out);
    }
    if (id == SG_OPT_VERSION) {
        sg_usage_version(out);
    } else {
        topics[options->values[id].number](out);
    }
    return true;
}

bool sg_information_print(sg_arena *arena, sg_diag *diag, const sg_options *options)
{
    sg_option_id id = first(options);
    SG_TRY(sg_targets_check_text(arena, diag, options, sg_option_name(arena, id), ".txt"));
    const sg_file_list none = {0};
    sg_buf text = {0};
    const bool ok = make_text(arena, diag, options, id, &text) &&
                    sg_deliver_text(arena, diag, options, id, &text, &none);
    sg_buf_free(&text);
    return ok;
}
