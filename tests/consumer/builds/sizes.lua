return { 4, 4, -1 }
