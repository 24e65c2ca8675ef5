/* Prints dependency rules. Independent of options; writes no file. */
#include "driver/depfile.h"

#include <string.h>

#include "base/system.h"

/* Tested with GNU make 4.3 and ninja 1.11 for every ASCII character. make ends the prerequisites at
 * a ';' even if escaped; ninja ends a name at the unreadable characters below. Before '#' and ':'
 * make halves backslashes and ninja does not; a backslash at the end of a word escapes the next
 * character, and ninja reads "\:" at the end as a target. */
const char *sg_depfile_problem(const char *path)
{
    static const struct {
        char is;
        const char *said;
    } unreadable[] = {{'\t', "a tab"}, {'"', "a '\"'"}, {'&', "a '&'"}, {'\'', "a \"'\""},
                      {'*', "a '*'"},  {';', "a ';'"},  {'<', "a '<'"}, {'>', "a '>'"},
                      {'?', "a '?'"},  {'^', "a '^'"},  {'`', "a '`'"}, {'|', "a '|'"}};
    for (size_t i = 0; i < sizeof unreadable / sizeof unreadable[0]; i++) {
        if (strchr(path, unreadable[i].is) != NULL) {
            return unreadable[i].said;
        }
    }
    for (const char *p = path + sg_system_drive(path); *p != '\0'; p++) {
        switch (*p) {
        case '\n':
        case '\r':
            return "a line break";
        case ':':
            if (p[1] == '\0') {
                return "a ':' at its end";
            }
            break;
        case '\\':
            if (p[1] == '\0') {
                return "a backslash at its end";
            }
            if (p[1] == '#' || p[1] == ':') {
                return "a backslash in front of '#' or ':'";
            }
            break;
        default:
            break;
        }
    }
    return NULL;
}

bool sg_depfile_escape(sg_buf *out, const char *path)
{
    if (sg_depfile_problem(path) != NULL) {
        return false;
    }
    /* make, ninja and CMake read a drive unescaped on systems that have drives, and gcc writes it
     * so. */
    const size_t drive = sg_system_drive(path);
    sg_buf_add(out, path, drive);
    size_t backslashes = 0;
    for (const char *p = path + drive; *p != '\0'; p++) {
        switch (*p) {
        case ' ':
            /* make reads 2n + 1 backslashes and a blank as n backslashes and a blank in the name */
            for (size_t i = 0; i <= backslashes; i++) {
                sg_buf_addc(out, '\\');
            }
            break;
        case '#':
        case ':':
            sg_buf_addc(out, '\\');
            break;
        case '$':
            sg_buf_addc(out, '$');
            break;
        default:
            break;
        }
        backslashes = *p == '\\' ? backslashes + 1 : 0;
        sg_buf_addc(out, *p);
    }
    return true;
}

bool sg_depfile_render(sg_buf *out, const char *const *targets, size_t ntargets,
                       const char *const *files, size_t nfiles, bool phony)
{
    bool ok = true;
    for (size_t i = 0; i < ntargets; i++) {
        sg_buf_addz(out, i > 0 ? " " : "");
        ok = sg_depfile_escape(out, targets[i]) && ok;
    }
    sg_buf_addc(out, ':');
    for (size_t i = 0; i < nfiles; i++) {
        sg_buf_addz(out, " \\\n  ");
        ok = sg_depfile_escape(out, files[i]) && ok;
    }
    sg_buf_addc(out, '\n');
    for (size_t i = 0; phony && i < nfiles; i++) {
        sg_buf_addc(out, '\n');
        ok = sg_depfile_escape(out, files[i]) && ok;
        sg_buf_addz(out, ":\n");
    }
    return ok;
}
