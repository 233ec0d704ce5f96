/** Recognises the addresses of this machine and direct requests from it. */
import type { IncomingMessage } from 'node:http'

export const isLoopbackIp = (ip: string): boolean => /^(127\.|::1$|::ffff:127\.)/.test(ip)

const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']

/**
 * Whether a request comes directly from this machine. If it has a forwarding header, a local proxy may relay it for
 * anyone.
 */
export const isLocalRequest = (request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean =>
  isLoopbackIp(request.socket.remoteAddress ?? '') &&
  forwardingHeaders.every((header) => request.headers[header] === undefined)
