const { dest, parallel, src } = require('gulp');

/** Copies the files that n8n expects next to the compiled code. */
const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
const codex = () => src('nodes/**/*.node.json').pipe(dest('dist/nodes'));
const schemas = () => src('nodes/**/__schema__/**/*.json').pipe(dest('dist/nodes'));

exports.default = parallel(icons, codex, schemas);
