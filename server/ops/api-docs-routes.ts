/** The API documentation contains no member data. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { commonErrorTypes, type ErrorType, errorCatalogue } from '#contract/errors.ts'
import { apiOperations } from '#contract/index.ts'
import {
  buildOpenApiDocument,
  getOperationOutputSchema,
  type JsonSchema,
  listOperationInputFields,
  type OperationInputField,
} from '#contract/openapi.ts'
import type { Operation } from '#contract/operation.ts'
import type { AppContext } from '../app-context.ts'
import { escapeHtml } from '../http/escape-html.ts'
import { noRouteInput, registerRoute } from '../route.ts'

const cacheOneHour = 'public, max-age=3600'
const docsRoute = {
  method: 'GET',
  who: 'visitor',
  limit: [],
  cache: 'as it says',
  input: noRouteInput,
} as const

export function registerApiDocsRoutes(app: FastifyInstance, context: AppContext): void {
  const stylesheet = readFileSync(join(import.meta.dirname, 'api-docs.css'))
  // Rendering the page is too slow for every start.
  const cached: { page?: string; description?: string } = {}
  registerRoute(app, context, { ...docsRoute, url: '/v1/docs' }, async (_input, { reply }) => {
    cached.page ??= docsPage()
    return reply.type('text/html; charset=utf-8').header('cache-control', cacheOneHour).send(cached.page)
  })
  registerRoute(app, context, { ...docsRoute, url: '/v1/docs/openapi.json' }, async (_input, { reply }) => {
    cached.description ??= JSON.stringify(buildOpenApiDocument())
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', cacheOneHour)
      .send(cached.description)
  })
  registerRoute(app, context, { ...docsRoute, url: '/v1/docs/api-docs.css' }, async (_input, { reply }) =>
    reply.type('text/css; charset=utf-8').header('cache-control', cacheOneHour).send(stylesheet),
  )
}

const docsPage = () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Operations · Juntas</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/v1/docs/api-docs.css">
</head>
<body>
<main>
<h1>Operations</h1>
<p>What the web app asks of the server, and what any other client may. The same as <a href="/v1/docs/openapi.json">OpenAPI</a>.
Requests and answers are JSON, but for images. The session is a cookie, or the header <code>X-Fallback-Cookies</code> for pages of other
addresses; a call that changes something has to come from an address the server knows.</p>
<nav aria-label="Operations"><ul>
${apiOperations.map(({ name, method, path }) => `<li><a href="#${name}">${method} <code>${path}</code></a></li>`).join('\n')}
</ul></nav>
${apiOperations.map(operationHtml).join('\n')}
<section aria-labelledby="always"><h2 id="always">What any of them may be refused with</h2>
${errorsHtml(commonErrorTypes)}</section>
</main>
</body>
</html>
`

const audience: Record<Operation['who'], string> = {
  visitor: 'for everybody',
  account: 'for who is signed in',
  member: 'for members',
  operator: 'for operators',
}

function operationHtml(operation: Operation): string {
  const { name, method, path, status } = operation
  const fields = listOperationInputFields(operation)
  const output = getOperationOutputSchema(operation)
  return `<section aria-labelledby="${name}">
<h2 id="${name}"><span>${method}</span> <code>/v1${path}</code></h2>
<p><code>${name}</code>, ${audience[operation.who]}, counted as <em>${[operation.limit].flat().join(', ')}</em></p>
${fields.length > 0 ? fieldsHtml(fields) : ''}
<p>${operation.requestBody === 'multipart' ? 'Given a form (<code>multipart/form-data</code>) with an image as <code>file</code>. ' : ''}Answers ${status}${output ? ':' : operation.responseBody === 'image' ? ' with an image.' : ', without a body.'}</p>
${output ? `<pre tabindex="0"><code>${escapeHtml(typeText(output))}</code></pre>` : ''}
${operation.errors.length > 0 ? errorsHtml(operation.errors) : ''}
</section>`
}

const fieldsHtml = (fields: readonly OperationInputField[]) => `<table>
<thead><tr><th scope="col">given</th><th scope="col">in</th><th scope="col">as</th></tr></thead>
<tbody>
${fields
  .map(
    (field) =>
      `<tr><th scope="row"><code>${field.name}</code>${field.required ? '' : ' (optional)'}</th><td>${field.in}</td><td><code>${escapeHtml(typeText(field.schema))}</code>${lengthText(field.schema)}</td></tr>`,
  )
  .join('\n')}
</tbody></table>`

const errorsHtml = (types: readonly ErrorType[]) => `<dl>
${types.map((type) => `<dt>${errorCatalogue[type][0]} <code>${type}</code></dt><dd>${escapeHtml(errorCatalogue[type][1])}</dd>`).join('\n')}
</dl>`

function typeText(schema: JsonSchema, indent = ''): string {
  if (schema.anyOf) return schema.anyOf.map((one) => typeText(one, indent)).join(' | ')
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.items) {
    const each = typeText(schema.items, indent)
    return each.includes(' | ') ? `(${each})[]` : `${each}[]`
  }
  if (schema.properties) {
    const inside = `${indent}  `
    const lines = Object.entries(schema.properties).map(
      ([name, one]) =>
        `${inside}${name}${schema.required?.includes(name) ? '' : '?'}: ${typeText(one, inside)}`,
    )
    return `{\n${lines.join('\n')}\n${indent}}`
  }
  return [schema.type ?? 'unknown'].flat().join(' | ')
}

function lengthText({ minLength = 0, maxLength }: JsonSchema): string {
  if (maxLength === undefined) return ''
  return minLength === 0 ? `, at most ${maxLength} characters` : `, ${minLength}–${maxLength} characters`
}
