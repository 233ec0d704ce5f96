/**
 * Writes the pages of docs/ that follow from the code: settings, errors, permissions, collections, the index of decisions, and
 * the web's table of endpoints. `--check` compares instead of writing, and fails when a page is stale.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { apiOperations, contractModules } from '#contract/api.ts'
import { errorCatalogue } from '#contract/errors.ts'
import type { Operation } from '#contract/operation.ts'
import { environmentSettingsSchema } from '#server/config.ts'
import { renderCollectionsPage } from './docs/collections-page.ts'
import { renderDecisionsPage } from './docs/decisions-page.ts'
import { renderPermissionsPage } from './docs/permissions-page.ts'
import { projectRootPath } from './run-tool.ts'

const pages: Record<string, string> = {
  'docs/settings.md': settingsPage(),
  'docs/errors.md': errorsPage(),
  'docs/permissions.md': renderPermissionsPage(),
  'docs/collections.md': renderCollectionsPage(),
  ...endpointModules(),
  'docs/decisions/README.md': renderDecisionsPage(),
}

const checking = process.argv.includes('--check')
const stale = Object.entries(pages).filter(([path, text]) => {
  const file = join(projectRootPath, path)
  return !existsSync(file) || readFileSync(file, 'utf8') !== text
})
for (const [path, text] of stale) {
  if (checking) console.error(`${path} is stale: run npm run docs`)
  else {
    mkdirSync(dirname(join(projectRootPath, path)), { recursive: true })
    writeFileSync(join(projectRootPath, path), text)
    console.log(`wrote ${path}`)
  }
}
process.exitCode = checking && stale.length > 0 ? 1 : 0

/**
 * Writes each operation's endpoint as one constant, so that a bundler keeps only those that are called; and those of each noun as a
 * module, so that the first page has no others than its own.
 */
function endpointModules(): Record<string, string> {
  const comment =
    '/** Where each operation is asked. Made of the contract by `npm run docs`; a check compares. */\n'
  const modules = Object.entries(contractModules).toSorted(([a], [b]) => a.localeCompare(b))
  const pages = modules.map(([noun, operations]): [string, string] => {
    const path = modulePath(noun)
    const endpoints = Object.entries(operations)
      .filter(([, value]) => apiOperations.includes(value as Operation))
      .map(([name, value]) => {
        const { method, path } = value as Operation
        const endpoint = name.replace(/Operation$/, 'Endpoint')
        return `export const ${endpoint}: OperationEndpoint<typeof ${noun}.${name}> = { method: '${method}', path: '${path}' }`
      })
    const up = path.includes('/') ? '../..' : '..'
    return [
      `contract/generated-endpoints/${path}`,
      `${comment}import type { OperationEndpoint } from '${up}/operation.ts'
import type * as ${noun} from '${up}/${path}'

${endpoints.join('\n')}
`,
    ]
  })
  const all = modules.map(([noun]) => `export * from './generated-endpoints/${modulePath(noun)}'`)
  return {
    ...Object.fromEntries(pages),
    'contract/generated-endpoints.ts': `${comment}${all.join('\n')}
`,
  }
}

/** The file of a module, from `contract/`: some stand in a folder of their own. */
function modulePath(noun: string): string {
  const [path] = globSync(`{*/,}${kebab(noun)}.ts`, {
    cwd: join(projectRootPath, 'contract'),
    exclude: ['generated-endpoints'],
  })
  return path ?? `${kebab(noun)}.ts`
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function settingsPage(): string {
  const rows = Object.entries(environmentSettingsSchema.shape).map(
    ([name, schema]) => `| \`${name}\` | ${schema.description} |`,
  )
  return `# Settings

Environment variables; none is needed to start. A wrong value stops the start with a list of what is wrong.
Each OAuth2 provider is named by \`OAUTH_<NAME>_ID\`, \`OAUTH_<NAME>_SECRET\` and, for OpenID Connect, \`OAUTH_<NAME>_ISSUER\`.

| name | what it is |
|---|---|
${rows.join('\n')}
`
}

function errorsPage(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([type, [status, sentence]]) => `| \`${type}\` | ${status} | ${sentence} |`,
  )
  return `# Errors

Every refusal is JSON: \`{ "message", "code", "type", "version" }\`, with \`field\` where one input is to blame. \`code\` is the
HTTP status. The message below is the default; validation says what is wrong instead.

| type | code | message |
|---|---|---|
${rows.join('\n')}
`
}
