/**
 * The pages of docs/ that say what the code says already: settings, errors, collections, operations. `--check` compares instead of
 * writing, and fails when a page is stale.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as account from '#contract/account.ts'
import { api } from '#contract/api.ts'
import * as chat from '#contract/chat.ts'
import { errors } from '#contract/errors.ts'
import * as groupMembers from '#contract/group-members.ts'
import * as groupRequests from '#contract/group-requests.ts'
import * as groups from '#contract/groups.ts'
import * as live from '#contract/live.ts'
import { openApi } from '#contract/openapi.ts'
import type { Operation } from '#contract/operation.ts'
import * as people from '#contract/people.ts'
import * as posts from '#contract/posts.ts'
import { settings } from '#server/config.ts'
import { collectionsPage } from './collections-page.ts'
import { permissionsPage } from './permissions-page.ts'
import { root } from './tools.ts'

const pages: Record<string, string> = {
  'docs/settings.md': settingsPage(),
  'docs/errors.md': errorsPage(),
  'docs/permissions.md': permissionsPage(),
  'docs/collections.md': collectionsPage(),
  'contract/routes.ts': routesModule(),
  'docs/openapi.json': `${JSON.stringify(openApi(), null, 2)}\n`,
}

const checking = process.argv.includes('--check')
const stale = Object.entries(pages).filter(([path, text]) => {
  const file = join(root, path)
  return !existsSync(file) || readFileSync(file, 'utf8') !== text
})
for (const [path, text] of stale) {
  if (checking) console.error(`${path} is stale: run npm run docs`)
  else {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`wrote ${path}`)
  }
}
process.exitCode = checking && stale.length > 0 ? 1 : 0

/** The operations' addresses, one constant each, so that a bundler keeps those that are called. */
function routesModule(): string {
  const nouns = Object.entries({ account, chat, groupMembers, groupRequests, groups, live, people, posts })
  const imports = nouns.map(([noun]) => `import type * as ${noun} from './${kebab(noun)}.ts'`)
  const routes = nouns.flatMap(([noun, operations]) =>
    Object.entries(operations)
      .filter(([, value]) => api.includes(value as Operation))
      .map(([name, value]) => {
        const { method, path } = value as Operation
        return `export const ${name}: Route<typeof ${noun}.${name}> = { method: '${method}', path: '${path}' }`
      }),
  )
  return `/** Where each operation is asked. Made of the contract by \`npm run docs\`; a check compares. */
${imports.join('\n')}
import type { Route } from './operation.ts'

${routes.join('\n')}
`
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function settingsPage(): string {
  const rows = Object.entries(settings.shape).map(
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
  const rows = Object.entries(errors).map(
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
