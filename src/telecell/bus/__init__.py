"""How processes of a cell talk: a bounded local link; routers between sites come on top."""
