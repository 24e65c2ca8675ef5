// How much of a run the page shows, whatever the run makes: a browser gets slow by the number of a page's elements. The
// buttons that save and copy have all of it. The page and the worker share these limits.
"use strict";

const HUES = 8; // colours of parts, see page.css

const LIMITS = {
    names: 2000, // kernels in the list, of which one is shown at a time
    letters: 400000, // letters of C, of the header, and so on, each
    spans: 20000, // words with a colour in the C, and in the header
    rows: 1000, // parts in the table, and with a colour in the input
    drawn: 48, // parts in the picture
    picture: 1000000, // letters of the placement's SVG
    places: 100, // messages in the list, and marks under the text
    link: 300000, // letters of C in a link to Compiler Explorer
};
