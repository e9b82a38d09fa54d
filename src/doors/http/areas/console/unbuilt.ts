/** What people see at `/` while the console is being built, and where it could not be built. The API does not need it. */
export const unbuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="3">
<title>Giftwire</title>
<h1>The console is being built</h1>
<p>This takes a few seconds, and this page then shows it. If it does not, run <code>npm run build:console</code>
where Giftwire is installed: its log says what is missing. The interface works without the console: <a href="/docs">/docs</a>.</p>
</html>
`;
