/**
 * The style of prints. Lengths are millimetres, so that eight gifts fill a sheet of A4 (210 × 297) and of Letter (216 × 279)
 * alike: two columns of 93 and four rows of 64 within margins of 10.
 */
export const printStyle = `
@page { margin: 10mm; }
* { box-sizing: border-box; margin: 0; }
:root { color-scheme: light; --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK SC", sans-serif;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, P052, "Noto Serif", "Noto Serif CJK SC", Georgia, serif; }
body { background: #fff; color: #241720; font: 400 10.5pt/1.5 var(--sans); overflow-wrap: anywhere;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
section { break-after: page; margin: 0 auto; }
section:last-of-type { break-after: auto; }
.gift { position: relative; display: flex; flex-direction: column; break-inside: avoid; }
.company { font-weight: 600; }
.to { font-weight: 400; margin-inline-start: .6em; }
h1 { font: 600 26pt/1.2 var(--serif); }
.lead bdi:last-of-type { font-weight: 600; }
.letter { border-inline-start: 1mm solid #f5b544; padding-inline-start: 5mm; min-height: 0; overflow: hidden; }
.words p + p { margin-top: .6em; }
.words { font-family: var(--serif); }
.by { font-weight: 600; margin-top: .5em; }
.open { display: flex; align-items: center; }
.qr { flex: none; display: block; }
.code { font: 600 12pt/1.4 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; white-space: nowrap; }
.scan, dd { font-weight: 600; }
dt, footer, .ways p { color: #5b4b56; }
.ways .scan, .ways .code { color: #241720; }
dl { display: flex; flex-wrap: wrap; }
dd { margin: 0; }

.page { width: 186mm; height: 252mm; }
.page .gift { height: 100%; padding: 4mm 14mm; }
.page .company { text-align: center; font-size: 13pt; }
.page .wire { display: block; width: 186mm; margin: 7mm -14mm 14mm; }
.page .lead { font-size: 13pt; margin: 2mm 0 9mm; }
.page .words { font-size: 16pt; line-height: 1.55; }
.page .long .words { font-size: 12.5pt; }
.page .open { gap: 9mm; margin-top: auto; padding-top: 8mm; }
.page .qr { width: 52mm; height: 52mm; margin: -4mm; }
.page .scan { font-size: 13pt; }
.page .code { font-size: 15pt; }
.page dl { gap: 8mm; margin-top: 4mm; }
.page .own { margin-top: 3mm; }
.page footer { margin-top: 8mm; font-size: 9pt; text-align: center; }

.sheet { display: grid; grid-template-columns: 93mm 93mm; grid-auto-rows: 64mm; width: 186mm; }
.sheet .gift { display: grid; grid-template: min-content min-content min-content minmax(0, 1fr) min-content / 1fr 28mm; column-gap: 3mm; padding: 3.6mm 5mm 3.4mm;
  margin: -.1mm; border: .2mm dashed #b9adb5; overflow: hidden; font-size: 7.5pt; line-height: 1.4; }
.sheet header, .sheet .ways { grid-column: 1 / 3; }
.sheet header { display: flex; justify-content: space-between; align-items: center; }
.sheet .bow { width: 6.5mm; height: 5.2mm; }
.sheet h1 { font-size: 13pt; line-height: 1.35; }
.sheet .lead { margin-top: .3mm; }
.sheet h1, .sheet .company { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; min-width: 0; }
.sheet .lead, .sheet .words { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.sheet .letter { align-self: start; max-height: calc(100% - 3.3mm); border-width: .6mm; padding-inline-start: 2.5mm; margin: 1.5mm 0 1.8mm; }
.sheet .words { font-size: 9.5pt; line-height: 1.36; -webkit-line-clamp: 4; }
.sheet .medium .words { font-size: 8pt; -webkit-line-clamp: 5; }
.sheet .long .words { font-size: 7pt; -webkit-line-clamp: 6; }
.sheet .words p + p { margin-top: 0; }
.sheet .open { display: contents; }
.sheet .qr { grid-column: 2; grid-row: 2 / 5; width: 32mm; height: 32mm; margin: 0 -2mm; align-self: center; }
.sheet .ways { display: flex; flex-wrap: wrap; column-gap: 1mm; align-items: baseline; }
.sheet .code { flex: 1 0 100%; display: flex; font-size: 9.5pt; }
.sheet .code, .sheet dl { margin-top: .5mm; }
.sheet .ways:has(dl div + div) .code { flex-basis: auto; }
.sheet dl div { display: flex; gap: 1mm; }
.sheet dl div:first-child, .sheet .by, .sheet .own, .sheet footer { display: none; }

@media screen {
  body { background: #ece6ea; padding: 8mm; }
  section { background: #fff; margin-bottom: 8mm; box-shadow: 0 1px 2px rgb(36 23 32/.06), 0 8px 24px -6px rgb(36 23 32/.18);
    box-sizing: content-box; padding: 10mm; }
}
`;
