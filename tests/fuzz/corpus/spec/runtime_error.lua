return table.concat({ 1, 2, {} }, ("%s"):format(0))
