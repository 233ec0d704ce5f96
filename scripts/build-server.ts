/**
 * Puts the server's modules and the packages that it loads on every start into a few files, in dist/server: loading nine
 * hundred small ones is most of a cold start (decision 0093). What the server finds beside its sources (migrations, styles,
 * the programs of its processes, the built web) it still finds there.
 */
import { dirname, join, relative, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { projectRootPath } from './run-tool.ts'

const output = join(projectRootPath, 'dist/server')

/** Native ones, and those that are loaded only where a setting or a request asks for them. */
const leftAlone =
  /^(?:node:|sharp$|@node-rs\/argon2$|redis$|nodemailer$|openid-client$|@simplewebauthn\/server$|mmdb-lib$)/

const bundle = await rolldown({
  cwd: projectRootPath,
  // The app is an entry of its own so that nothing it needs ends up in main, which waits for it.
  input: { main: 'server/main.ts', app: 'server/app.ts' },
  platform: 'node',
  external: leftAlone,
  plugins: [{ name: 'places', transform: (code, path) => placed(code, path) }],
})
const { output: files } = await bundle.write({ dir: output, format: 'esm', cleanDir: true })
await bundle.close()
for (const file of files) {
  if (file.type === 'chunk' && file.isEntry && file.imports.some((name) => /^node:https?$/.test(name))) {
    console.error(
      `${file.fileName} imports HTTP, with which Node evaluates the whole of fetch at every start.`,
    )
    process.exit(1)
  }
}

/** A module of ours goes on finding its neighbours from where it was written. */
function placed(source: string, path: string): string | null {
  if (!path.startsWith(join(projectRootPath, 'server') + sep)) return null
  const code = path.endsWith('assert-built-from-sources.ts')
    ? source.replace('const isBuilt = false', 'const isBuilt = true')
    : source
  const from = (place: string) => relative(output, place).split(sep).join('/')
  return code
    .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${from(dirname(path))}')`)
    .replaceAll('import.meta.url', `new URL('${from(path)}', import.meta.url).href`)
}
