/**
 * Only known push services are allowed. Otherwise a client could make the server send requests to any host.
 */
import type { Config } from '../../../config.ts'
import { throwFailure } from '../../../errors.ts'

/** Push services of Chrome, Firefox, Edge and Safari. `*.` matches any subdomain. */
const knownHosts = [
  'fcm.googleapis.com',
  '*.push.services.mozilla.com',
  '*.notify.windows.com',
  '*.push.apple.com',
]

/**
 * @throws Failure 400 `push_host_refused` unless the endpoint is an https URL of a known service; 503
 * `push_disabled`
 */
export function parsePushEndpoint({ pushHosts }: Pick<Config, 'pushHosts'>, endpoint: string): URL {
  if (pushHosts === null) throwFailure('push_disabled')
  const url = URL.parse(endpoint)
  if (
    url === null ||
    url.protocol !== 'https:' ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== '' ||
    url.href.length > 1024 ||
    ![...knownHosts, ...pushHosts].some((host) => isOf(url, host))
  ) {
    return throwFailure('push_host_refused', { field: 'endpoint' })
  }
  return url
}

const isOf = (url: URL, host: string) =>
  host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host
