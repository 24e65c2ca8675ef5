/* diag_render: prints all diagnostics in one of the formats. */
#ifndef SG_BASE_DIAG_RENDER_H
#define SG_BASE_DIAG_RENDER_H

#include "base/diag.h"

/* Appends all entries to out.
 *
 * Text: in the format of gcc. In a binary source the position is "model.onnx: byte 1234:", without
 * an excerpt.
 *
 * JSON: {"version":1,"diagnostics":[{severity,message,file,line,column,endLine,endColumn,excerpt,
 * rule,ops:[names],notes:[...]}],"hiddenErrors":n,"hiddenWarnings":n}
 * Columns are 1-based bytes, the end is one past the last byte, and all are null without a
 * position; the excerpt is the text of the line, if there is one. In a binary, lines and columns
 * are null, followed by "byte" and "endByte", which are offsets from 0. A note has the same fields
 * except rule, ops and notes.
 *
 * SARIF 2.1.0: one run, one result per error or warning, notes as relatedLocations, columns in
 * characters. tool_version becomes the driver's version. */
void sg_diag_render(const sg_diag *diag, sg_diag_format format, sg_color color,
                    const char *tool_version, sg_buf *out);

/* The same, one per format. Private to base/. */
void sg_diag_render_text(const sg_diag *diag, sg_color color, sg_buf *out);
void sg_diag_render_json(const sg_diag *diag, sg_buf *out);
void sg_diag_render_sarif(const sg_diag *diag, const char *tool_version, sg_buf *out);

#endif
