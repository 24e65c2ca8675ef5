/* Diagnostics as SARIF 2.1.0 for code scanning services: one run, one result per error or warning.
 * Contains the required fields and those that viewers use; rules only have an id. */
#include "base/diag_render.h"

#include "base/system.h"
#include "base/utf8.h"

#define SCHEMA_URI                                                                                 \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

static void add_message(sg_buf *out, const sg_diag_entry *entry)
{
    sg_buf message = {0};
    sg_diag_message(entry, &message);
    sg_buf_addz(out, "\"message\":{");
    sg_buf_add_member(out, "text", message.len > 0 ? message.ptr : "");
    sg_buf_addc(out, '}');
    sg_buf_free(&message);
}

/* The first entry of the same rule. */
static const sg_diag_entry *first_of_rule(const sg_diag *diag, const char *rule)
{
    const sg_diag_entry *first = diag->first;
    while (first->rule == NULL || !sg_str_eqz(sg_str_from(rule), first->rule)) {
        first = first->next;
    }
    return first;
}

/* Adds the rules that have a result, in order of first use. Returns the number of rules before the
 * rule `before`, or of all. */
static size_t add_rules(sg_buf *out, const sg_diag *diag, const char *before)
{
    size_t count = 0;
    for (const sg_diag_entry *entry = diag->first; entry; entry = entry->next) {
        if (entry->rule == NULL || first_of_rule(diag, entry->rule) != entry) {
            continue;
        }
        if (before != NULL && sg_str_eqz(sg_str_from(before), entry->rule)) {
            break;
        }
        if (out != NULL) {
            sg_buf_addz(out, count > 0 ? ",{" : "{");
            sg_buf_add_member(out, "id", entry->rule);
            sg_buf_addc(out, '}');
        }
        count++;
    }
    return count;
}

/* Adds the ops that a result is about. */
static void add_ops(sg_buf *out, const sg_diag_entry *entry)
{
    sg_buf_addz(out, "\"logicalLocations\":[");
    for (const sg_diag_about *about = entry->about; about != NULL; about = about->next) {
        sg_buf name = {0};
        if (about->subject->name != NULL) {
            sg_buf_addz(&name, about->subject->name);
        } else {
            sg_subject_name(about->subject, &name);
        }
        sg_buf_addz(out, about == entry->about ? "{" : ",{");
        sg_buf_add_member(out, "name", name.len > 0 ? name.ptr : "");
        sg_buf_addz(out, ",\"kind\":\"function\"}");
        sg_buf_free(&name);
    }
    sg_buf_addc(out, ']');
}

/* A path as a URI reference (RFC 3986): percent-encodes all but unreserved characters and '/'. This
 * includes ':', which would end a scheme. */
static void add_uri(sg_buf *out, const char *path)
{
    const size_t drive = sg_system_drive(path);
    const char *scheme = drive > 0 ? "file:///" : sg_system_is_slash(path[0]) ? "file://" : "";
    sg_buf_printf(out, "\"uri\":\"%s%.*s", scheme, (int)drive, path);
    for (const char *p = path + drive; *p; p++) {
        unsigned char c = (unsigned char)(sg_system_is_slash(*p) ? '/' : *p);
        if (sg_is_ident(c) || c == '/' || c == '.' || c == '-' || c == '~') {
            sg_buf_addc(out, (char)c);
        } else {
            sg_buf_printf(out, "%%%02X", c);
        }
    }
    sg_buf_addc(out, '"');
}

/* SARIF has no byte columns. Computes the 1-based column in characters; a stray byte counts as
 * one. */
static void locate(const sg_source *source, size_t offset, size_t *line, size_t *column)
{
    sg_source_locate(source, offset, line, column);
    size_t at = source->lines[*line - 1];
    size_t end = at + *column - 1;
    size_t characters = 0;
    while (at < end) {
        uint32_t c;
        size_t used = sg_utf8_decode(source->text + at, end - at, &c);
        at += used ? used : 1;
        characters++;
    }
    *column = characters + 1;
}

static void add_location(sg_buf *out, sg_span span)
{
    size_t line;
    size_t column;
    sg_buf_addz(out, "\"physicalLocation\":{\"artifactLocation\":{");
    add_uri(out, span.source->name);
    if (span.source->binary) {
        sg_buf_printf(out, "},\"region\":{\"byteOffset\":%zu,\"byteLength\":%zu}}", span.begin,
                      span.end - span.begin);
        return;
    }
    locate(span.source, span.begin, &line, &column);
    sg_buf_printf(out, "},\"region\":{\"startLine\":%zu,\"startColumn\":%zu", line, column);
    locate(span.source, span.end, &line, &column);
    sg_buf_printf(out, ",\"endLine\":%zu,\"endColumn\":%zu", line, column);
    sg_buf_printf(out, ",\"byteOffset\":%zu,\"byteLength\":%zu}}", span.begin,
                  span.end - span.begin);
}

/* Adds a result with its notes; returns the entry after them. */
static const sg_diag_entry *add_result(sg_buf *out, const sg_diag *diag, const sg_diag_entry *entry)
{
    sg_buf_addc(out, '{');
    sg_buf_add_member(out, "ruleId", entry->rule);
    sg_buf_printf(out, ",\"ruleIndex\":%zu,", add_rules(NULL, diag, entry->rule));
    sg_buf_add_member(out, "level", sg_severity_word(entry->severity));
    sg_buf_addc(out, ',');
    add_message(out, entry);
    sg_buf_addz(out, ",\"locations\":[");
    if (entry->span.source || entry->about != NULL) {
        sg_buf_addc(out, '{');
        if (entry->span.source) {
            add_location(out, entry->span);
            sg_buf_addz(out, entry->about != NULL ? "," : "");
        }
        if (entry->about != NULL) {
            add_ops(out, entry);
        }
        sg_buf_addc(out, '}');
    }
    sg_buf_addc(out, ']');
    size_t notes = 0;
    for (entry = entry->next; entry && entry->severity == SG_NOTE; entry = entry->next) {
        sg_buf_addz(out, notes ? "," : ",\"relatedLocations\":[");
        sg_buf_printf(out, "{\"id\":%zu,", ++notes);
        add_message(out, entry);
        if (entry->span.source) {
            sg_buf_addc(out, ',');
            add_location(out, entry->span);
        }
        sg_buf_addc(out, '}');
    }
    sg_buf_addz(out, notes ? "]}" : "}");
    return entry;
}

static size_t add_notification(sg_buf *out, size_t hidden, const char *kind, size_t before)
{
    if (hidden == 0) {
        return before;
    }
    sg_buf_addz(out, before ? "," : ",\"toolExecutionNotifications\":[");
    sg_buf_printf(out, "{\"level\":\"note\",\"message\":{\"text\":\"%zu more %s%s not shown\"}}",
                  hidden, kind, hidden == 1 ? "" : "s");
    return before + 1;
}

/* Adds the exit code, and the numbers of results that the caps hid. */
static void add_invocation(sg_buf *out, const sg_diag *diag)
{
    sg_exit exit = sg_diag_exit(diag);
    sg_buf_printf(out, "\"invocations\":[{\"executionSuccessful\":%s,\"exitCode\":%d",
                  exit == SG_EXIT_OK ? "true" : "false", (int)exit);
    size_t count = add_notification(out, diag->hidden_errors, "error", 0);
    count = add_notification(out, diag->hidden_warnings, "warning", count);
    sg_buf_addz(out, count ? "]}]," : "}],");
}

void sg_diag_render_sarif(const sg_diag *diag, const char *tool_version, sg_buf *out)
{
    sg_buf_addz(out, "{\"$schema\":\"" SCHEMA_URI "\",\"version\":\"2.1.0\",\"runs\":[{");
    sg_buf_addz(out, "\"tool\":{\"driver\":{\"name\":\"splitgen\",");
    sg_buf_add_member(out, "version", tool_version);
    sg_buf_addz(out, ",\"rules\":[");
    (void)add_rules(out, diag, NULL);
    sg_buf_addz(out, "]}},\"columnKind\":\"unicodeCodePoints\",");
    add_invocation(out, diag);
    sg_buf_addz(out, "\"results\":[");
    const sg_diag_entry *entry = diag->first;
    while (entry) {
        sg_buf_addz(out, entry == diag->first ? "\n" : ",\n");
        entry = add_result(out, diag, entry);
    }
    sg_buf_addz(out, diag->first ? "\n]}]}\n" : "]}]}\n");
}
