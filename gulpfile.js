const { dest, parallel, src } = require('gulp');

/** Icons and codex files stand beside the compiled code: n8n looks for them there. */
const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
const codex = () => src('nodes/**/*.node.json').pipe(dest('dist/nodes'));

exports.default = parallel(icons, codex);
