"""The operator's web page: the live scene and the controls around it."""
