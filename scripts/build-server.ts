/**
 * Bundles the server, because loading nine hundred small modules takes most of a cold start (decision 0093). Files
 * that the code reads stay next to the sources.
 */
import { dirname, join, relative, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { projectRootPath } from './run-tool.ts'

const output = join(projectRootPath, 'dist/server')

/** These packages are native, or loaded only if needed. */
const leftAlone =
  /^(?:node:|sharp$|@node-rs\/argon2$|redis$|nodemailer$|openid-client$|@simplewebauthn\/server$|mmdb-lib$)/

const bundle = await rolldown({
  cwd: projectRootPath,
  // The app is a separate entry, so that `main` starts before the app's code loads.
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

function placed(source: string, path: string): string | null {
  if (!path.startsWith(join(projectRootPath, 'server') + sep)) return null
  const code = path.endsWith(join('server', 'version.ts'))
    ? source.replace('const isBuilt = false', 'const isBuilt = true')
    : source
  const from = (place: string) => relative(output, place).split(sep).join('/')
  return code
    .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${from(dirname(path))}')`)
    .replaceAll('import.meta.url', `new URL('${from(path)}', import.meta.url).href`)
}
