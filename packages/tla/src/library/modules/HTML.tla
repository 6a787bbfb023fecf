-------------------------------- MODULE HTML --------------------------------
(* Pages of HTML as strings: each operator puts its arguments into a pattern. *)
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt

\* The pattern with, for each pair of args, the first place of its first replaced by its second.
HTMLFill(string, args) ==
  FoldLeft(LAMBDA filled, pair : ReplaceFirstSubSeq(pair[2], pair[1], filled), string, args)

LOCAL Joined(texts, separator) ==
  FoldLeft(LAMBDA before, text : IF before = "" THEN text ELSE before \o separator \o text, "", texts)
LOCAL Lines(texts) == Joined(texts, "\n")
LOCAL Fill1(pattern, name, value) == HTMLFill(pattern, << <<name, value>> >>)

\* The page and its head.

HTMLDocument(header, body, list_of_scripts) ==
  Lines(<<"<!DOCTYPE html>", "<html>", header, body, Lines(list_of_scripts), "</html>">>)

HTMLClass(classname, attribute_list) == Lines(<<classname \o " {", Lines(attribute_list), "}">>)

HTMLAttribute(name, value) == HTMLFill("%name%: %value%;", << <<"%name%", name>>, <<"%value%", value>> >>)

HTMLDefaultStyle ==
  Lines(<<HTMLClass(".default_grid", <<HTMLAttribute("display", "grid")>>),
          HTMLClass(".default_box", <<HTMLAttribute("border", "1px solid black")>>),
          HTMLClass(".default_circle", <<HTMLAttribute("border-radius", "50%")>>)>>)

HTMLStyleSheet(class_list) ==
  Lines(<<"<style type=\"text/css\">", HTMLDefaultStyle, Lines(class_list), "</style>">>)

HTMLScriptFile(name) == Fill1("<script src=\"%name%\"></script>", "%name%", name)
HTMLScript(children) == Lines(<<"<script>", Lines(children), "</script>">>)

HTMLLink(name, type) ==
  HTMLFill("<link href=\"%name%\" rel=\"%type%\"/>", << <<"%name%", name>>, <<"%type%", type>> >>)

HTMLHeader(title, list_of_links, class_list) ==
  Lines(<<"<head>", "<meta charset=\"UTF-8\">", Fill1("<title>%title%</title>", "%title%", title),
          Lines(list_of_links), HTMLStyleSheet(class_list), "</head>">>)

\* The body.

HTMLBody(body) == Lines(<<"<body>", body, "</body>">>)

HTMLFrame(id, children) == Lines(<<Fill1("<div id=\"%id%\">", "%id%", id), Lines(children), "</div>">>)

HTMLGridContainer(id, class_list, children) ==
  LET open == HTMLFill("<div id=\"%id%\" class=\"default_grid %class_list%\">",
                       << <<"%id%", id>>, <<"%class_list%", Joined(class_list, " ")>> >>)
  IN  Lines(<<open, Lines(children), "</div>">>)

HTMLBox(id, class_list, size, children) ==
  LET open == HTMLFill("<div id=\"%id%\" class=\"default_box %class_list%\" style=\"%size%\">",
                       << <<"%id%", id>>, <<"%class_list%", Joined(class_list, " ")>>, <<"%size%", size>> >>)
  IN  Lines(<<open, Lines(children), "</div>">>)

HTMLCircle(id, class_list, size, children) == HTMLBox(id, <<"default_circle">> \o class_list, size, children)

HTMLText(id, text) == Lines(<<Fill1("<span id=\"%id%\">", "%id%", id), text, "</span>">>)

HTMLSVG(id, viewBox, size, svgString) ==
  LET open == HTMLFill("<svg id=\"%id%\" viewBox=\"%viewBox%\" style=\"%size%\">",
                       << <<"%id%", id>>, <<"%viewBox%", viewBox>>, <<"%size%", size>> >>)
  IN  Lines(<<open, svgString, "</svg>">>)

\* Parts of styles and scripts.

HTMLSize(width, height) == Joined(<<HTMLAttribute("width", width), HTMLAttribute("height", height)>>, " ")

HTMLNewLine == "<br>"

HTMLFlexCenterAttributes ==
  Lines(<<HTMLAttribute("display", "flex"), HTMLAttribute("align-items", "center"),
          HTMLAttribute("justify-content", "center")>>)

HTMLJSLineElems(fromID, destID) ==
  HTMLFill("document.getElementById(\"%id1%\"), document.getElementById(\"%id2%\")",
           << <<"%id1%", fromID>>, <<"%id2%", destID>> >>)

LOCAL Line(pattern, fromID, destID, color, size) ==
  HTMLFill(pattern, << <<"%elems%", HTMLJSLineElems(fromID, destID)>>, <<"%color%", color>>, <<"%size%", size>> >>)

HTMLJSLine(fromID, destID, color, size) ==
  Line("new LeaderLine(%elems%, {color: '%color%', size: %size%})", fromID, destID, color, size)

HTMLJSLineDash(fromID, destID, color, size) ==
  Line("new LeaderLine(%elems%,  {color: '%color%', size: %size%, dash: true})", fromID, destID, color, size)

HTMLJSKeyListener(events) ==
  Lines(<<"window.onkeyup = function(event) {", "let key = event.key.toUpperCase();", Lines(events), "}">>)

HTMLJSNavigationKey(key, file) ==
  Lines(<<Fill1("if(key == '%key%'){", "%key%", key),
          Fill1("window.location.replace(\"%file%\");", "%file%", file), "}">>)
=============================================================================
