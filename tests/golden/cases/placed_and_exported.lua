-- A prefix, a section, and a macro in front of what others may call.
-- digest: c h
-- dump: plan,program
-- options: --prefix=net_ --section=.itcm --export-macro=NET_API
return split "mel: f32[2,3] @1 -> low:1 high:2"
