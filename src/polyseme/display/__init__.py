"""Values in notebooks: what ``_repr_html_`` of labellings, models, scores and others returns.

The HTML has no scripts and no external resources. It takes the colours of its surroundings, and is small whatever the
size of the value: tables and lists end with "… and N more".
"""
