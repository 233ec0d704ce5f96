import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiOperations } from '#contract/index.ts'
import { buildOpenApiDocument } from '#contract/openapi.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
beforeAll(async () => {
  w = await createTestWorld()
})
afterAll(() => w.end())

test('the public API documentation names every operation and loads nothing from other sites', async () => {
  const { status, headers, body } = await w.visitor.request<string>('GET', '/v1/docs')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  for (const { name, method, path } of apiOperations) {
    expect(body).toContain(`<h2 id="${name}"><span>${method}</span> <code>/v1${path}</code></h2>`)
  }
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(body).not.toMatch(/<script|<style|style=|\son\w+=|https?:\/\//)
  for (const [, link] of body.matchAll(/(?:href|src)="(\/v1\/[^"]+)"/g)) {
    expect((await w.visitor.request('GET', String(link))).status, link).toBe(200)
  }
})

test('the documentation of an operation shows its input, output and errors', async () => {
  const { body } = await w.visitor.request<string>('GET', '/v1/docs')
  const [, sendMessage] = /id="sendMessage">([\s\S]*?)<\/section>/.exec(body) ?? []
  expect(sendMessage).toContain('<th scope="row"><code>conversationId</code></th><td>path</td>')
  expect(sendMessage).toContain('<th scope="row"><code>messageId</code> (optional)</th><td>body</td>')
  expect(sendMessage).toContain('<p>Answers 201:</p>')
  expect(sendMessage).toContain('readBy: string[]')
  expect(sendMessage).toContain('<dt>409 <code>document_already_exists</code></dt>')
})

test('the server publishes the OpenAPI document for tools', async () => {
  const { headers, body } = await w.visitor.request<object>('GET', '/v1/docs/openapi.json')
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(body).toEqual(JSON.parse(JSON.stringify(buildOpenApiDocument())))
})
