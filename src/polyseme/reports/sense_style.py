"""How the page about words looks."""

SENSES_STYLE = """
body.senses { max-width: 68rem; font-family: Charter, Georgia, "Times New Roman", serif; line-height: 1.55; }
.senses h1 { font-size: clamp(1.8rem, 5vw, 2.8rem); margin: .5rem 0; letter-spacing: -.01em; }
.senses h2 { font-size: clamp(2rem, 6vw, 3rem); margin: 0 0 .3rem; letter-spacing: -.01em; }
.senses h2 small { font-size: 1rem; font-style: italic; font-weight: 400; }
.senses h3 { margin: 2rem 0 .6rem; font: 600 1.05rem/1.3 system-ui, sans-serif; }
.lead { font-size: 1.15rem; max-width: 46rem; }
.story { font-size: 1.12rem; max-width: 46rem; }
.senses section { border-top: 3px solid; padding-top: 1rem; margin-top: 3.5rem; }
.gallery { list-style: none; padding: 0; display: grid; gap: .6rem; margin: 1.5rem 0;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); }
.gallery a { display: block; color: inherit; text-decoration: none; border: 1px solid var(--line);
  border-radius: .5rem;
  padding: .6rem .8rem; height: 100%; box-sizing: border-box; }
.gallery a:hover, .gallery a:focus-visible { border-color: currentColor; background: var(--faint); }
.gallery b { font-size: 1.3rem; } .gallery a > span:last-child { font-size: .95rem; }
.strip { display: flex; height: .5rem; margin: .2rem 0 .4rem; border-radius: .25rem; overflow: hidden; gap: 2px; }
.strip i { display: block; }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: 1rem 0 0;
  font: .92rem/1.5 system-ui, sans-serif; }
.mark { vertical-align: -.12em; flex: none; }
.pictures { display: grid; gap: 0 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr));
  align-items: start; }
.pictures figure { margin: 1rem 0; min-width: 0; } .pictures svg { display: block; width: 100%; height: auto; }
.pictures figcaption { font-size: .88rem; }
.canvas { aspect-ratio: 1; content-visibility: auto; }  /* drawn when it is seen; its size is known before */
.canvas > svg { border: 1px solid var(--faint); border-radius: .5rem; box-sizing: border-box; }
.cards { list-style: none; padding: 0; margin: 0; display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); }
.card { border: 1px solid var(--faint); border-top: 5px solid var(--sense); border-radius: .4rem; padding:
  .7rem .9rem; }
.card h4 { margin: 0; font: 600 1.02rem/1.35 system-ui, sans-serif; }
.share { font: 400 .9rem system-ui, sans-serif; white-space: nowrap; opacity: .85; }
.card h4 .share { float: right; margin-left: .5rem; }
.words { font: .88rem/1.45 system-ui, sans-serif; margin: .4rem 0 .6rem; opacity: .9; }
.quotes, .ambiguous, .plain { list-style: none; padding: 0; margin: 0; }
.quotes li { margin: .5rem 0; font-size: .98rem; } q { quotes: "“" "”"; overflow-wrap: anywhere; }
q mark { background: none; color: inherit; padding: 0; font-weight: 700; text-decoration: underline;
  text-underline-offset: .15em; }
cite { font: .82rem system-ui, sans-serif; opacity: .85; white-space: nowrap; }
.ambiguous { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 27rem), 1fr)); }
.weights { display: flex; gap: 2px; height: .7rem; border-radius: .3rem; overflow: hidden; }
.said { font: .82rem/1.5 system-ui, sans-serif; margin: .2rem 0 .3rem; display: flex; flex-wrap: wrap; gap: 0 1rem; }
.beside { font-size: .95rem; } .beside ul, .senses details ul { margin: 0; padding-left: 1.1rem; }
.beside tbody th { width: 30%; font-family: system-ui, sans-serif; font-size: .92rem; }
.senses summary { cursor: pointer; padding: .4rem 0; }
.senses code { font-size: .85rem; overflow-wrap: anywhere; }
.word:has(.s0:hover) .map path:not(.s0), .word:has(.s1:hover) .map path:not(.s1),
.word:has(.s2:hover) .map path:not(.s2), .word:has(.s3:hover) .map path:not(.s3),
.word:has(.s4:hover) .map path:not(.s4), .word:has(.s5:hover) .map path:not(.s5) { opacity: .07; }
@media (max-width: 30rem) { body.senses { padding: 0 .8rem; } .beside, .beside tbody, .beside tr, .beside th,
  .beside td
  { display: block; width: auto; } .beside thead { display: none; } .beside tbody th { width: auto; border:
  0; padding: .6rem 0 0; }
  .beside td { padding: .1rem 0 .6rem; } }
@media print { .canvas { content-visibility: visible; } .senses section { break-before: page; margin-top: 0; }
  .card, .ambiguous li, figure {
  break-inside: avoid; }
  .senses details > ul { display: block; } }
"""
