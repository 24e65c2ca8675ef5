/* Calls the renderer of a format. */
#include "base/diag_render.h"

void sg_diag_render(const sg_diag *diag, sg_diag_format format, sg_color color,
                    const char *tool_version, sg_buf *out)
{
    switch (format) {
    case SG_DIAG_TEXT:
        sg_diag_render_text(diag, color, out);
        break;
    case SG_DIAG_JSON:
        sg_diag_render_json(diag, out);
        break;
    case SG_DIAG_SARIF:
        sg_diag_render_sarif(diag, tool_version, out);
        break;
    }
}
