/**
 * The official web SDK, unmodified: the build for browsers, in a window that has fetch and forms but no local storage.
 * The session travels in the cookie header, which only a browser would not let us set.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import type { Client as OfficialClient } from 'appwrite'
import type { Person } from '../person.ts'

const resolve = createRequire(import.meta.url).resolve

/** The build for browsers of a package, to be run with the window and the fetch it is to find. */
function buildOf(name: string) {
  const bundle = readFileSync(join(resolve(`${name}/package.json`), '..', 'dist', 'iife', 'sdk.js'), 'utf8')
  const run = runInThisContext(
    `(function (window, fetch, WebSocket, console) { ${bundle}; return this.Appwrite })`,
  )
  return (window: SdkWindow) => run.call({}, window, window.fetch, window.WebSocket, window.console)
}

/** What a build finds where a browser has its window. */
export type SdkWindow = {
  fetch: (address: string, options: RequestInit) => Promise<Response>
  WebSocket?: unknown
  console?: unknown
}

/** The generation the product was written for, 13.0.2. */
export const loadSdk: (window: SdkWindow) => typeof import('appwrite') = buildOf('appwrite')

/** The newest generation. */
export const loadNewestSdk: (window: SdkWindow) => typeof import('appwrite-newest') =
  buildOf('appwrite-newest')

export const sdk = loadSdk({ fetch, FormData, setTimeout, console } as SdkWindow)

/** @param url of a listening server, without a path */
export function clientOf(url: string, person?: Person): OfficialClient {
  const client = new sdk.Client().setEndpoint(`${url}/v1`).setProject('juntas')
  if (person) client.headers.cookie = person.cookie
  return client
}
