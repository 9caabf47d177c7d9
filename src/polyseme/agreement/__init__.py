"""How people agree, how they use a scale, and what their ratings say of a dictionary. (Erk, McCarthy & Gaylord 2013)"""
