/** How a picture looks: the colours of norn's SVG, light and dark. */
export const STYLE = `
:root{--paper:#fff;--ink:#1f2328;--dim:#6e7781;--life:#afb8c1;--arrow:#0969da;--late:#9a6700;--bad:#cf222e;--band:#fff8c5;
--worse:#ffebe9;--good:#1a7f37;--bar:#ddf4ff;--failed:#eaeef2;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--dim:#8d96a0;--life:#484f58;--arrow:#58a6ff;
--late:#e3b341;--bad:#ff7b72;--band:#4b3a10;--worse:#3b1d20;--good:#56d364;--bar:#12283f;--failed:#21262d}}
*{box-sizing:border-box}
html,body{margin:0;height:100%;background:var(--paper);color:var(--ink)}
body{display:flex;flex-direction:column;font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
header{padding:14px 20px 6px}h1{font-size:15px;margin:0 0 2px;overflow-wrap:anywhere}
.illegal{color:var(--bad)}.ok{color:var(--good)}.unknown{color:var(--late)}.dim{color:var(--dim)}
section{padding:0 20px;overflow:auto;max-height:44vh;flex:none}
article{display:flex;gap:4px 28px;flex-wrap:wrap;align-items:center}
article+article{border-top:1px solid var(--life);margin-top:8px;padding-top:8px}
article>div{flex:1 1 380px;min-width:0}
pre{margin:4px 0;white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}
nav{display:flex;gap:8px;align-items:center;padding:8px 20px;flex-wrap:wrap}
button,input,select{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--life);border-radius:6px;padding:3px 9px}
select{max-width:240px}input{width:150px}
button:hover,select:hover{border-color:var(--arrow)}
:focus-visible{outline:2px solid var(--arrow);outline-offset:1px}canvas:focus-visible{outline-offset:-2px}
.legend{display:flex;gap:4px 16px;flex-wrap:wrap;padding:0 20px 8px;font-size:12px}
.legend i{display:inline-block;width:20px;height:11px;margin-right:6px;vertical-align:-1px;border:1px solid var(--arrow);background:var(--bar)}
.legend i.failed{border-color:var(--dim);background:var(--failed)}
.legend i.open{border:1px dashed var(--dim);border-right:0;background:none}
.legend i.wrong{border:2px solid var(--bad)}
.legend i.point{width:8px;height:8px;border:0;border-radius:4px;background:var(--good);vertical-align:0}
main{flex:1;min-height:160px;position:relative;border-top:1px solid var(--life)}
canvas{position:absolute;inset:0;width:100%;height:100%;cursor:grab;touch-action:none}canvas:active{cursor:grabbing}
#detail{min-height:31px;max-height:22vh;overflow:auto;padding:5px 20px;border-top:1px solid var(--life);white-space:pre-wrap;
overflow-wrap:anywhere;flex:none}
.cycle{max-width:100%;height:auto;flex:0 1 auto}.cycle text{font-size:12px;fill:var(--ink);text-anchor:middle}
.cycle .name{font-weight:600}.node{cursor:pointer}.node rect{fill:var(--paper);stroke:var(--arrow);stroke-width:1.5}
.edge{fill:none;stroke:var(--ink);stroke-width:1.5}.edge.rw{stroke:var(--bad)}
.edge.process,.edge.realtime{stroke:var(--dim);stroke-dasharray:5 4}
.cycle .label{text-anchor:start}.cycle .back{text-anchor:end}
@media(max-width:700px){.keys{display:none}header,section,nav,.legend,#detail{padding-left:12px;padding-right:12px}
section{max-height:32vh}input{width:110px}}
`.trim()
