/** How a report page looks: the colours of norn's diagrams, light and dark; on paper always light. */
import { colourVariables, pageRules } from '../diagram/paint.ts'

export const STYLE = `
:root{${colourVariables(0)};--side:#f6f8fa;--line:#d1d9e0;--edge:#818b98;--chosen:#eef8ff;--fresh:#dafbe1;
--keyword:#cf222e;--string:#0a3069;--constant:#0550ae;--type:#953800;--function:#6639ba;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){:root{${colourVariables(1)};--side:#151b23;--line:#3d444d;--edge:#656c76;--chosen:#12283f;--fresh:#12261e;
--keyword:#ff7b72;--string:#a5d6ff;--constant:#79c0ff;--type:#ffa657;--function:#d2a8ff}}
*{box-sizing:border-box}
html,body{margin:0;height:100%}
body{background:var(--paper);color:var(--ink);font:14px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}
h1,h2,h3,h4,p,ul,dl,dd,pre,figure{margin:0}ul{padding:0;list-style:none}
h1{font-size:16px}h2{font-size:17px;line-height:1.3;overflow-wrap:anywhere}h3{font-size:12px;font-weight:600;color:var(--dim)}h4{font-size:12px;margin-top:6px}
pre,code{font:12px/1.5 var(--mono)}pre{white-space:pre-wrap;overflow-wrap:anywhere}
.dim{color:var(--dim);font-weight:400}.none{color:var(--dim);font-style:italic}.small{font-size:12px}.block{padding:16px 0}
.bad{color:var(--bad)}.good{color:var(--good)}.late{color:var(--late)}
button{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:6px;padding:2px 10px;cursor:pointer;white-space:nowrap}
button:hover:not([aria-disabled=true]){border-color:var(--arrow)}button[aria-disabled=true]{opacity:.45;cursor:default}
input[type=search],select{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--edge);border-radius:6px;padding:3px 8px;width:100%;min-width:0}
main:focus{outline:none}.skip{position:absolute;transform:translateY(-200vh)}.skip:focus{transform:none;z-index:9}
:focus-visible{outline:2px solid var(--arrow);outline-offset:1px}
#root{height:100%}#print{display:none}
.app{height:100%;display:grid;grid-template:auto auto auto minmax(0,1fr)/250px minmax(0,1fr);grid-template-areas:'top top' 'help help' 'notice notice' 'list main'}
.top{grid-area:top;display:flex;align-items:center;gap:6px 14px;padding:8px 16px;border-bottom:1px solid var(--line);background:var(--side)}
.top h1{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.doing{font-size:13px;font-variant-numeric:tabular-nums;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.now{color:var(--arrow)}
.facts{font-size:12px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.notice{grid-area:notice;padding:6px 16px;border-bottom:1px solid var(--line);background:var(--band)}
.help{grid-area:help;padding:10px 16px;border-bottom:1px solid var(--line);background:var(--side);font-size:13px}
.help dl{display:grid;grid-template-columns:repeat(auto-fill,130px minmax(180px,1fr));gap:2px 12px}.help dt{font-family:var(--mono);font-size:12px}
.help p{margin-top:6px;font-size:12px}
.list{grid-area:list;overflow-y:auto;padding:10px;border-right:1px solid var(--line);background:var(--side)}
.list h3{margin:12px 8px 6px}.count{display:flex;gap:8px;align-items:baseline}.count button{font-size:12px;padding:0 8px}
.filters{display:grid;gap:4px;padding:0 0 4px}.filters summary{padding:3px 8px}.filters label{display:grid;grid-template-columns:64px minmax(0,1fr);align-items:center;font-size:12px;padding:2px 0 2px 8px}
.list p{padding:4px 8px}
.item{display:flex;flex-direction:column;gap:2px;width:100%;text-align:left;white-space:normal;background:none;border-color:transparent;padding:7px 9px;margin-bottom:2px;align-items:flex-start}
.item b{font-weight:600;overflow-wrap:anywhere}.item span{font-size:12px}
.item .headline{display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden;overflow-wrap:anywhere;font-family:var(--mono);font-size:11.5px}
.item[aria-current=true]{background:var(--paper);border-color:var(--line);box-shadow:inset 3px 0 0 var(--arrow)}
.headline{color:var(--bad)}
.badge{display:inline-block;border:1px solid currentColor;border-radius:99px;padding:0 8px;font-size:11px;font-weight:500;line-height:17px;white-space:nowrap;vertical-align:2px}
main{grid-area:main;min-width:0;min-height:0;overflow:hidden}
.link{border:0;padding:0;background:none;white-space:normal;text-align:left;color:var(--arrow);text-decoration:underline;overflow-wrap:anywhere}
.acts{float:right;display:flex;gap:6px;font-size:13px;font-weight:400}.acting{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:center;font-size:13px;margin:4px 0}.acting progress{flex:1 1 120px;max-width:360px}
.failure{height:100%;display:flex;flex-direction:column;padding:12px 16px 0;gap:8px}
.what{flex:none;max-height:55%;overflow-y:auto}
.what .headline{font:13px/1.45 var(--mono);margin:2px 0 6px;overflow-wrap:anywhere}
.sentence{font-weight:600;margin:0 0 6px;overflow-wrap:anywhere}
.brief{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:1px 12px;font-size:13px}
.brief dt,.more dt{color:var(--dim)}.brief pre{max-height:5.8em;overflow-y:auto;line-height:19px}
.brief pre.waits{max-height:15.2em;overflow-x:auto;white-space:pre}
summary{cursor:pointer;font-size:12px;color:var(--dim);padding:3px 0}summary:hover{color:var(--ink)}
.more{display:grid;grid-template-columns:minmax(0,1.4fr) minmax(0,1fr);gap:8px 24px;padding:6px 0 8px;font-size:13px}
.more dt:not(:first-child){margin-top:4px}.more dd{overflow-wrap:anywhere}.more code{user-select:all}
.error{color:var(--bad)}
.toolbar{flex:none;display:flex;align-items:center;gap:5px;flex-wrap:wrap;font-size:13px}
.toolbar output{min-width:62px;text-align:center;font:12px var(--mono)}.toolbar label{padding:0 6px;white-space:nowrap;cursor:pointer}
.toolbar input{vertical-align:-2px;margin:0 2px 0 0}.schedule{max-width:45%;color:var(--dim);font-size:12px}
.course{flex:none;display:flex;gap:12px;align-items:center}.scrubber{flex:1;position:relative;height:20px}.scrubber input{width:100%;margin:0;height:20px;accent-color:var(--arrow);display:block}
.scrubber div{position:absolute;inset:0 8px;pointer-events:none}.scrubber span{position:absolute;bottom:-2px;width:2px;height:5px;margin-left:-1px;background:var(--late)}.scrubber .bad{background:var(--bad)}
.diagrams{flex:1 1 0;min-height:140px;display:grid;gap:12px;grid-template-columns:minmax(0,1fr)}
.diagrams.two{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
.diagram{display:flex;flex-direction:column;min-height:0;border:1px solid var(--line);border-radius:8px;overflow:hidden}
.diagram h3{flex:none;padding:4px 10px;background:var(--side);border-bottom:1px solid var(--line);white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.failing h3{color:var(--bad)}.passing h3{color:var(--good)}
.view{flex:1;min-height:0;overflow:auto;position:relative;--gutter:20px;--step:0px;--at:6ch;font:12px/24px var(--mono);overscroll-behavior:contain}
.stepped .view{--step:5ch}
.head,.row{display:grid;grid-template-columns:var(--gutter) var(--step) calc(var(--at) + 10px) var(--lanes) minmax(0,1fr) auto;height:24px;align-items:center;
min-width:calc(var(--gutter) + var(--step) + var(--at) + var(--lanes) + 180px);font:12px/24px var(--mono)}
.head{position:sticky;top:0;z-index:2;background:var(--paper);color:var(--dim);border-bottom:1px solid var(--line)}
.diagram:not(.stepped) .row .step{display:none}.diagram:not(.stepped) .row,.diagram:not(.stepped) .head{grid-template-columns:var(--gutter) calc(var(--at) + 10px) var(--lanes) minmax(0,1fr) auto}
.head .lanes{position:relative;height:24px;color:var(--ink);font-weight:600}
.head .lanes span{position:absolute;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.head .node{text-align:center;padding:0 2px}
.gutter{text-align:center;color:var(--late)}.step,.at{text-align:right;color:var(--dim);padding-right:6px}
.rows{position:relative;min-width:calc(var(--gutter) + var(--step) + var(--at) + var(--lanes) + 180px)}.rows:focus-visible{outline-offset:-2px}
.row{position:absolute;left:0;right:0;cursor:pointer;white-space:nowrap}
.row:hover{background:var(--side)}.row.departs,.row.parting{background:var(--band)}.row.bad{background:var(--worse)}
.row.departs .text,.row.parting .text{color:var(--late)}.row.bad .text{color:var(--bad)}
.row.current,.row.current:hover{background:var(--chosen);box-shadow:inset 3px 0 0 var(--arrow)}
.row .where{display:flex;color:var(--dim);padding-right:8px;max-width:26ch}.row .where span{overflow:hidden;text-overflow:ellipsis}
.placeless .row .where{display:none}
.row .text{overflow:hidden;text-overflow:ellipsis;padding:0 8px 0 4px}.row em{color:var(--late);font-style:normal}
.lines{position:absolute;left:calc(var(--gutter) + var(--step) + var(--at) + 10px);pointer-events:none;overflow:visible}
.lines text{font:12px var(--mono)}${pageRules('.lines')}
.detail{flex:none;height:31%;min-height:170px;display:grid;grid-template-columns:minmax(0,.8fr) minmax(0,1.45fr) minmax(0,1.05fr);border-top:1px solid var(--line);margin:0 -16px}
.failure:has(.waits) .detail{height:24%}
.detail.sourceless{grid-template-columns:minmax(0,1fr) minmax(0,1.4fr)}
.detail section{overflow-y:auto;padding:8px 16px}.detail section+section{border-left:1px solid var(--line)}
.detail h3{margin-bottom:4px}.happened{font:13px/1.5 var(--mono);overflow-wrap:anywhere}.detail .late{margin-top:4px;font-size:13px}
.place{font:12px/1.5 var(--mono);color:var(--dim);overflow-wrap:anywhere}
.excerpt pre{white-space:pre-wrap;padding:2px 0}.excerpt code{display:block;padding:0 8px 0 5ch;text-indent:-5ch}.excerpt .here{background:var(--band)}
.number{display:inline-block;width:4ch;text-align:right;margin-right:1.5ch;color:var(--dim);user-select:none}
.w-k{color:var(--keyword)}.w-s{color:var(--string)}.w-c{color:var(--dim)}.w-n{color:var(--constant)}.w-t{color:var(--type)}.w-f{color:var(--function)}
.callers{margin-top:4px}
.state ul{font:12px/1.55 var(--mono)}.state li{overflow-wrap:anywhere;padding:0 4px;border-radius:3px}.state .new{background:var(--fresh)}
.state .gone{color:var(--dim);text-decoration:line-through}.state del{color:var(--dim)}.state p{margin-top:6px}
.campaigns{height:100%;overflow-y:auto;padding:14px 18px;display:flex;flex-direction:column;gap:18px}
.campaign h3{font-size:14px;color:var(--ink);overflow-wrap:anywhere}
.campaign progress{appearance:none;display:block;width:100%;height:4px;margin:8px 0 2px;border:0;border-radius:2px;overflow:hidden;background:var(--line)}
progress::-webkit-progress-bar{background:var(--line)}progress::-webkit-progress-value{background:var(--arrow)}progress::-moz-progress-bar{background:var(--arrow)}
.figures{display:flex;flex-wrap:wrap;gap:4px 28px;margin:8px 0 4px}.figures dd{font:600 18px/1.3 var(--mono);font-variant-numeric:tabular-nums}.figures dt{font-size:12px;color:var(--dim)}
.told{display:flex;flex-wrap:wrap;gap:8px 28px;margin-top:4px;align-items:flex-start}.told ul{flex:1 1 340px;min-width:0}
.told li{overflow-wrap:anywhere;padding-left:1.2em;text-indent:-1.2em;margin-bottom:2px}.curve{flex:0 1 360px;min-width:220px;height:auto}.curve text{font:11px var(--mono);fill:var(--dim)}.curve .end{text-anchor:end}
.curve .axis{stroke:var(--life);fill:none}.curve .line{stroke:var(--arrow);fill:none;stroke-width:1.8}
.trends{position:relative;overflow-x:auto;flex:none}.trends td{vertical-align:top}.value{white-space:nowrap;font-variant-numeric:tabular-nums}.value span{display:inline-block;min-width:3.5em;margin-right:6px}.value rect{fill:var(--arrow)}.value.bad rect{fill:var(--bad)}.trends .small{margin-top:4px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;white-space:nowrap;clip-path:inset(50%)}
table{border-collapse:collapse;font-size:13px;margin-top:4px}th,td{text-align:left;padding:2px 18px 2px 0;border-bottom:1px solid var(--line)}th{color:var(--dim);font-weight:500}
@media screen and (max-width:760px){
html,body,#root{height:auto}
.app{display:block;height:auto}.top{padding:8px 12px}.facts,.hint{display:none}.doing{white-space:normal;text-align:right}
.list{max-height:28vh;border-right:0;border-bottom:1px solid var(--line);padding:6px}
main{overflow:visible}.item .headline{-webkit-line-clamp:1}.item{flex-flow:row wrap;gap:0 8px;align-items:center}.item b,.item .headline{flex:1 1 100%}.failure{display:block;height:auto;padding:10px 12px 0}
.what{max-height:none}.more{grid-template-columns:minmax(0,1fr)}.brief{grid-template-columns:minmax(0,1fr)}.brief dd{margin-bottom:4px}
.toolbar{position:sticky;top:0;z-index:3;background:var(--paper);padding:8px 0;margin-top:4px}.toolbar button{padding:5px 12px}.toolbar .end{display:none}.course{display:block}.schedule{max-width:none}
.diagrams,.diagrams.two{grid-template-columns:minmax(0,1fr)}.diagram{height:52vh}.two .diagram{height:38vh}
.detail{display:block;height:auto;margin:10px -12px 0}.detail section{max-height:none;padding:8px 12px}.detail section+section{border-left:0;border-top:1px solid var(--line)}
.campaigns{height:auto;padding:12px}.trends th,.trends td{padding-right:10px}.value span{min-width:0;display:block}}
@media print{#root{display:none}#print{display:block}html,body{height:auto}
#print article{break-inside:avoid-page;border-top:1px solid var(--line);padding-top:10px;margin-top:14px}#print .what{max-height:none;overflow:visible}
#print summary{display:none}#print details::details-content{content-visibility:visible;height:auto}#print td{font:11px/1.4 var(--mono);padding:0 10px 0 0}.campaigns{height:auto;overflow:visible;padding:0}}
`.trim()
