/** What the journeys of the chat do again and again. */
import type { Page } from '@playwright/test'
import { expect, type Person } from './fixtures.ts'

export type Talk = { $id: string }

/** The conversation of two people, made through the API if it is new. */
export async function talkOf(one: Person, other: Pick<Person, '$id'>): Promise<string> {
  const answer = await one.request.post('/v1/conversations', { data: { personId: other.$id } })
  expect(answer.status()).toBe(200)
  return ((await answer.json()) as Talk).$id
}

export async function say(one: Person, talk: string, content: string): Promise<string> {
  const answer = await one.request.post(`/v1/conversations/${talk}/messages`, { data: { content } })
  expect(answer.status()).toBe(201)
  return ((await answer.json()) as { $id: string }).$id
}

export const list = (page: Page) => page.getByRole('list', { name: 'Conversations' })
export const row = (page: Page, name: string) => list(page).getByRole('listitem').filter({ hasText: name })
export const thread = (page: Page) => page.getByRole('list', { name: /^Messages with / })
export const bubble = (page: Page, text: string) =>
  thread(page).getByRole('listitem').filter({ hasText: text })
export const box = (page: Page) => page.getByPlaceholder('Type a message...')
export const sendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
export const search = (page: Page) => page.getByPlaceholder('Buscar usuarios...')

/** Opens a conversation and waits until the socket of the page hears. */
export async function open(person: Pick<Person, 'page'>, talk: string): Promise<Page> {
  const { page } = person
  const socket = page.waitForEvent('websocket')
  await page.goto(`/chat/${talk}`)
  await (await socket).waitForEvent('framereceived')
  await expect(box(page)).toBeVisible()
  return page
}

export async function write(page: Page, text: string): Promise<void> {
  await box(page).fill(text)
  await box(page).press('Enter')
}
