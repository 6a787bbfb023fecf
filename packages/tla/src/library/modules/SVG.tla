-------------------------------- MODULE SVG ---------------------------------
(* Pictures of states: elements are records, which SVGElemToString makes text of. That and the geometry are native *)
(* (library/natives/svg.ts). Numbers become text as attributes.                                                    *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE Integers
LOCAL INSTANCE TLC
LOCAL INSTANCE FiniteSets

SVGElem(_name, _attrs, _children, _innerText) ==
  [name |-> _name, attrs |-> _attrs, children |-> _children, innerText |-> _innerText]

LOCAL Numbers(r) == [key \in DOMAIN r |-> ToString(r[key])]

\* Each with the attributes attrs besides its own.

Line(x1, y1, x2, y2, attrs) ==
  SVGElem("line", Numbers([x1 |-> x1, y1 |-> y1, x2 |-> x2, y2 |-> y2]) @@ attrs, <<>>, "")

Circle(cx, cy, r, attrs) == SVGElem("circle", Numbers([cx |-> cx, cy |-> cy, r |-> r]) @@ attrs, <<>>, "")

Rect(x, y, w, h, attrs) ==
  SVGElem("rect", Numbers([x |-> x, y |-> y, width |-> w, height |-> h]) @@ attrs, <<>>, "")

Text(x, y, text, attrs) == SVGElem("text", Numbers([x |-> x, y |-> y]) @@ attrs, <<>>, text)

Image(x, y, width, height, href, attrs) ==
  LET own == ("xlink:href" :> href) @@ Numbers([x |-> x, y |-> y, width |-> width, height |-> height])
  IN  SVGElem("image", own @@ attrs, <<>>, "")

Group(children, attrs) == SVGElem("g", attrs, children, "")

Svg(children, attrs) == SVGElem("svg", attrs, children, "")

\* A document of its own, which shows this part of the plane.
SVGDoc(children, vbX, vbY, vbW, vbH, attrs) ==
  LET box == ToString(vbX) \o " " \o ToString(vbY) \o " " \o ToString(vbW) \o " " \o ToString(vbH)
      own == "xmlns:xlink" :> "http://www.w3.org/1999/xlink" @@ "xmlns" :> "http://www.w3.org/2000/svg" @@ "viewBox" :> box
  IN  Svg(<<children>>, own @@ attrs)

LOCAL Native(operands) == CHOOSE result : result = operands

SVGElemToString(elem) == Native(elem)

\* Where the n-th of m nodes lies on a circle, and a point a part of the way from one point to another.
NodeOfRingNetwork(cx, cy, r, n, m) == Native(<<cx, cy, r, n, m>>)
PointOnLine(from, to, segment) == Native(<<from, to, segment>>)

\* Refused: norn has no graph layout.
NodesOfDirectedMultiGraph(nodes, edges, options) == Native(<<nodes, edges, options>>)

\* Writes the picture to a file with the number of the frame in its name.
SVGSerialize(svg, frameNamePrefix, frameNumber) ==
  LET IO == INSTANCE IOUtils
  IN  IO!Serialize(SVGElemToString(svg),
                   frameNamePrefix \o IO!zeroPadN(frameNumber, 3) \o ".svg",
                   [format |-> "TXT", charset |-> "UTF-8",
                    openOptions |-> <<"WRITE", "CREATE", "TRUNCATE_EXISTING">>])
=============================================================================
