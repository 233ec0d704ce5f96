import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export type FakeOAuthProvider = {
  issuer: string
  visit(address: string, login: string): Promise<URL>
  cancel(address: string): Promise<URL>
  stop(): Promise<void>
}

/**
 * @param redirectUri the redirect target that the provider allows
 * @param emails by login; a final `?` marks an unverified address
 */
export async function startFakeOAuthProvider(
  redirectUri: string,
  emails: Record<string, string>,
): Promise<FakeOAuthProvider> {
  const reserved = await reserveFakeOAuthProvider()
  return reserved.serve(redirectUri, emails)
}

/** No request arrives before the first sign-in. */
export async function reserveFakeOAuthProvider() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    serve: (redirectUri: string, emails: Record<string, string>) =>
      serveProvider(server, issuer, redirectUri, emails),
  }
}

function serveProvider(
  server: Server,
  issuer: string,
  redirectUri: string,
  emails: Record<string, string>,
): FakeOAuthProvider {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'juntas-at-the-provider',
        client_secret: 'a secret between the two',
        redirect_uris: [redirectUri],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['only for this test'] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, login) => ({
      accountId: login,
      claims: () => ({
        sub: login,
        name: `${login} Pérez`,
        email: emails[login]?.replace('?', ''),
        email_verified: !emails[login]?.endsWith('?'),
      }),
    }),
  })
  server.on('request', provider.callback())
  return {
    issuer,
    visit: (address, login) => visit(address, login, redirectUri),
    cancel: (address) => visit(address, null, redirectUri),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function visit(address: string, login: string | null, until: string): Promise<URL> {
  const jar = new Map<string, string>()
  let next = new URL(address)
  let form: URLSearchParams | null = null
  for (let step = 0; step < 12; step += 1) {
    const answer: Response = await fetch(next, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      body: form,
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const page = await answer.text()
    const location = answer.headers.get('location')
    if (location) {
      next = new URL(location, next)
      form = null
      if (next.href.startsWith(until)) return next
    } else {
      const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? []
      const [, action = ''] = /<form[^>]*action="([^"]+)"/.exec(page) ?? []
      const [, abort = ''] = /href="([^"]+\/abort)"/.exec(page) ?? []
      if (!prompt) throw new Error(`the provider showed ${answer.status}: ${page.slice(0, 500)}`)
      next = new URL(login === null ? abort : action, next)
      form = login === null ? null : new URLSearchParams({ prompt, login, password: 'any' })
    }
  }
  throw new Error('the provider sent the browser round and round')
}
