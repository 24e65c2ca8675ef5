/* Prints all diagnostics as text or as JSON. */
#ifndef SG_BASE_DIAG_RENDER_H
#define SG_BASE_DIAG_RENDER_H

#include "base/diag.h"

/* Appends all entries to out, in the format of gcc. In a binary source the position is
 * "model.onnx: byte 1234:", without an excerpt. */
void sg_diag_render_text(const sg_diag *diag, sg_color color, sg_buf *out);

/* Appends all entries to out as one JSON document:
 * {"version":1,"diagnostics":[{severity,message,file,line,column,endLine,endColumn,excerpt,
 * rule,ops:[names],notes:[...]}],"hiddenErrors":n,"hiddenWarnings":n}
 * Columns are 1-based bytes, the end is one past the last byte, and all are null without a
 * position; the excerpt is the text of the line, if there is one. In a binary, lines and columns
 * are null, followed by "byte" and "endByte", which are offsets from 0. A note has the same fields
 * except rule, ops and notes. */
void sg_diag_render_json(const sg_diag *diag, sg_buf *out);

#endif
