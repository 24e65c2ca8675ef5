/* The renderers behind sg_diag_render, one per format. Private to base/. */
#ifndef SG_BASE_DIAG_RENDER_H
#define SG_BASE_DIAG_RENDER_H

#include "base/diag.h"

/* Each appends all entries to out; out is owned by the caller, nothing can fail. */
void sg_diag_render_text(const sg_diag *diag, sg_color color, sg_buf *out);
void sg_diag_render_json(const sg_diag *diag, sg_buf *out);
void sg_diag_render_sarif(const sg_diag *diag, const char *tool_version, sg_buf *out);

/* The message of an entry with the names of its ops in front if its place does not tell. */
void sg_diag_message(const sg_diag_entry *entry, sg_buf *out);
/* The name of an op, or which op of its call it is. */
void sg_subject_name(const sg_subject *subject, sg_buf *out);

/* "error", "warning" or "note". */
const char *sg_severity_word(sg_severity severity);

#endif
