/**
 * The product's operations as a page for people and as OpenAPI for tools, both made of the contract: `/v1/docs` and
 * `/v1/docs/openapi.json`. Whoever may sign up may read them; they say nothing about anybody.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import { alwaysPossible, type ErrorType, errors } from '#contract/errors.ts'
import { type InputField, inputFields, type JsonSchema, openApi, outputSchema } from '#contract/openapi.ts'
import type { Operation } from '#contract/operation.ts'
import { escapeHtml } from './letters.ts'
import { forAnybody } from './route-classes.ts'

const anHour = 'public, max-age=3600'
const kept = { config: { ...forAnybody, cache: 'as it says' as const } }

export function serveReference(app: FastifyInstance): void {
  const look = readFileSync(join(import.meta.dirname, 'reference.css'))
  // Made when somebody asks: the schemas of all operations take longer than a start should.
  const made: { page?: string; description?: string } = {}
  app.get('/v1/docs', kept, async (_request, reply) => {
    made.page ??= page()
    return reply.type('text/html; charset=utf-8').header('cache-control', anHour).send(made.page)
  })
  app.get('/v1/docs/openapi.json', kept, async (_request, reply) => {
    made.description ??= JSON.stringify(openApi())
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', anHour)
      .send(made.description)
  })
  app.get('/v1/docs/reference.css', kept, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', anHour).send(look),
  )
}

const page = () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Operations · Juntas</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/v1/docs/reference.css">
</head>
<body>
<main>
<h1>Operations</h1>
<p>What the web app asks of the server, and what any other client may. The same as <a href="/v1/docs/openapi.json">OpenAPI</a>.
Requests and answers are JSON. The session is a cookie, or the header <code>X-Fallback-Cookies</code> for pages of other
addresses; a call that changes something has to come from an address the server knows.</p>
<nav aria-label="Operations"><ul>
${api.map(({ name, method, path }) => `<li><a href="#${name}">${method} <code>${path}</code></a></li>`).join('\n')}
</ul></nav>
${api.map(operationHtml).join('\n')}
<section aria-labelledby="always"><h2 id="always">What any of them may be refused with</h2>
${refusalsHtml(alwaysPossible)}</section>
</main>
</body>
</html>
`

const who: Record<Operation['who'], string> = {
  visitor: 'for everybody',
  account: 'for who is signed in',
  member: 'for members',
}

function operationHtml(operation: Operation): string {
  const { name, method, path, status } = operation
  const fields = inputFields(operation)
  const output = outputSchema(operation)
  return `<section aria-labelledby="${name}">
<h2 id="${name}"><span>${method}</span> <code>/v1${path}</code></h2>
<p><code>${name}</code>, ${who[operation.who]}, counted as <em>${operation.limit}</em></p>
${fields.length > 0 ? fieldsHtml(fields) : ''}
<p>Answers ${status}${output ? ':' : ', without a body.'}</p>
${output ? `<pre tabindex="0"><code>${escapeHtml(shapeOf(output))}</code></pre>` : ''}
${operation.errors.length > 0 ? refusalsHtml(operation.errors) : ''}
</section>`
}

const fieldsHtml = (fields: readonly InputField[]) => `<table>
<thead><tr><th scope="col">given</th><th scope="col">in</th><th scope="col">as</th></tr></thead>
<tbody>
${fields
  .map(
    (field) =>
      `<tr><th scope="row"><code>${field.name}</code>${field.required ? '' : ' (optional)'}</th><td>${field.in}</td><td><code>${escapeHtml(shapeOf(field.schema))}</code>${lengthOf(field.schema)}</td></tr>`,
  )
  .join('\n')}
</tbody></table>`

const refusalsHtml = (types: readonly ErrorType[]) => `<dl>
${types.map((type) => `<dt>${errors[type][0]} <code>${type}</code></dt><dd>${escapeHtml(errors[type][1])}</dd>`).join('\n')}
</dl>`

/** As TypeScript would write it. */
function shapeOf(schema: JsonSchema, indent = ''): string {
  if (schema.anyOf) return schema.anyOf.map((one) => shapeOf(one, indent)).join(' | ')
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.items) {
    const each = shapeOf(schema.items, indent)
    return each.includes(' | ') ? `(${each})[]` : `${each}[]`
  }
  if (schema.properties) {
    const inside = `${indent}  `
    const lines = Object.entries(schema.properties).map(
      ([name, one]) =>
        `${inside}${name}${schema.required?.includes(name) ? '' : '?'}: ${shapeOf(one, inside)}`,
    )
    return `{\n${lines.join('\n')}\n${indent}}`
  }
  return [schema.type ?? 'unknown'].flat().join(' | ')
}

function lengthOf({ minLength = 0, maxLength }: JsonSchema): string {
  if (maxLength === undefined) return ''
  return minLength === 0 ? `, at most ${maxLength} characters` : `, ${minLength}–${maxLength} characters`
}
