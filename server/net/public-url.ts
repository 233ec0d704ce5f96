import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/**
 * Emails contain this URL. In production it comes from the settings, never from a header that the caller
 * controls.
 */
export const getPublicUrlForRequest = (
  { socket }: FastifyRequest,
  { config: { publicUrl, port } }: { config: Config },
): string => getConfiguredPublicUrl({ publicUrl, port: socket.localPort ?? port })

export const getConfiguredPublicUrl = ({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string =>
  publicUrl ?? `http://localhost:${port}`
