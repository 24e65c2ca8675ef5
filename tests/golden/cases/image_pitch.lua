-- Lines of images with gaps behind them, in the whole and in both parts: one call of a function copies
-- several of them.
-- digest: c json
-- dump: plan
return split "uv: u8[540/2048,960,2] @2 -> u:1/1024/1 v:1/1024/1"
