/** A client has no storage and no cookies: its session is in a `cookie` header, which browsers forbid. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import type { Client as OfficialClient } from 'appwrite'
import type { MemberClient } from '#api-client/member-client.ts'

const resolve = createRequire(import.meta.url).resolve

/** @returns a function that runs the package's build with the given globals */
function buildOf(name: string) {
  const bundle = readFileSync(join(resolve(`${name}/package.json`), '..', 'dist', 'iife', 'sdk.js'), 'utf8')
  const run = runInThisContext(
    `(function (window, fetch, WebSocket, console) { ${bundle}; return this.Appwrite })`,
  )
  return (window: SdkWindow) => run.call({}, window, window.fetch, window.WebSocket, window.console)
}

export type SdkWindow = {
  fetch: (address: string, options: RequestInit) => Promise<Response>
  WebSocket?: unknown
  console?: unknown
}

/** Version 13.0.2, for which Juntas was written. */
export const loadSdk: (window: SdkWindow) => typeof import('appwrite') = buildOf('appwrite')

export const loadNewestSdk: (window: SdkWindow) => typeof import('appwrite-newest') =
  buildOf('appwrite-newest')

export const appwriteSdk = loadSdk({ fetch, FormData, setTimeout, console } as SdkWindow)

/** @param url without a path */
export function createAppwriteSdkClient(url: string, person?: MemberClient): OfficialClient {
  const client = new appwriteSdk.Client().setEndpoint(`${url}/v1`).setProject('juntas')
  if (person) client.headers.cookie = person.cookie
  return client
}
