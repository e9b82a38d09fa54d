/** What people see while the pages are being built, and where they could not be built. The API does not need them. */
export const unbuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="3">
<title>Giftwire</title>
<h1>This page is being built</h1>
<p>This takes a few seconds, and it then shows here. If it does not, run <code>npm run build:console</code>
where Giftwire is installed: its log says what is missing. The API works meanwhile.</p>
</html>
`;
