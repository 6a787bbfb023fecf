/** How a picture looks: the colours of norn's SVG, light and dark. */
export const STYLE = `
:root{--paper:#fff;--ink:#1f2328;--dim:#6e7781;--life:#afb8c1;--arrow:#0969da;--late:#9a6700;--bad:#cf222e;--band:#fff8c5;
--worse:#ffebe9;--good:#1a7f37;--bar:#ddf4ff;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--dim:#8d96a0;--life:#484f58;--arrow:#58a6ff;
--late:#e3b341;--bad:#ff7b72;--band:#2e2a1f;--worse:#3b1d20;--good:#56d364;--bar:#12283f}}
*{box-sizing:border-box}
html,body{margin:0;height:100%;background:var(--paper);color:var(--ink)}
body{display:flex;flex-direction:column;font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
header{padding:14px 20px 8px}h1{font-size:15px;margin:0 0 4px}.illegal{color:var(--bad)}.ok{color:var(--good)}
.unknown{color:var(--late)}
pre{margin:4px 0;white-space:pre-wrap;font:inherit;max-height:24vh;overflow:auto}
nav{display:flex;gap:8px;align-items:center;padding:6px 20px;flex-wrap:wrap}
button,input{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--life);border-radius:6px;padding:3px 9px}
button:hover{border-color:var(--arrow)}:focus-visible{outline:2px solid var(--arrow);outline-offset:1px}
.dim{color:var(--dim)}main{flex:1;min-height:220px;position:relative;border-top:1px solid var(--life)}
canvas{position:absolute;inset:0;width:100%;height:100%;cursor:grab;touch-action:none}canvas:active{cursor:grabbing}
#detail{min-height:30px;padding:5px 20px;border-top:1px solid var(--life);white-space:pre-wrap;overflow-wrap:anywhere}
.cycle{max-width:100%;display:block}.cycle text{font-size:12px;fill:var(--ink);text-anchor:middle}
.cycle .name{font-weight:600}.node{cursor:pointer}.node rect{fill:var(--paper);stroke:var(--arrow);stroke-width:1.5}
.edge{fill:none;stroke:var(--ink);stroke-width:1.5}.edge.rw{stroke:var(--bad)}
.edge.process,.edge.realtime{stroke:var(--dim);stroke-dasharray:5 4}
.cycle .label{paint-order:stroke;stroke:var(--paper);stroke-width:5}
section{padding:0 20px;overflow:auto;max-height:46vh;display:flex;gap:24px;flex-wrap:wrap;align-items:flex-start}
section pre{flex:1;min-width:320px;max-height:none}
`.trim()
