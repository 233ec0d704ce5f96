/** `npm run doctor` and the operators' screen run these checks, which undo their test writes. */
import type { Config } from '../config.ts'
import type { ImageProcessor } from '../images/image-processor.ts'
import { describeStartupError } from '../startup-error.ts'
import { checkBackups } from './backup-checks.ts'
import {
  checkConnectedAccounts,
  checkDatabase,
  checkDatabasePasswordFile,
  checkInstanceKey,
  checkInvariants,
  checkPooler,
  checkPostgresOrigin,
} from './database-checks.ts'
import { type DoctorFinding, failure } from './doctor-finding.ts'
import { checkEmailAndSms, checkEmailQueue } from './email-and-sms-checks.ts'
import {
  checkBucket,
  checkFileMove,
  checkImageDecoding,
  checkPictureFiles,
  checkUnfinishedUploads,
} from './file-checks.ts'
import { checkBuild, checkDataFolder, checkMachine, checkRunningVersion } from './machine-checks.ts'
import { checkClientAddresses, checkPublicUrl, checkRedis } from './network-checks.ts'

export type DoctorCheck = {
  /** @param images the running server's image processor; the command starts its own */
  examine(config: Config, images?: ImageProcessor): Promise<DoctorFinding | DoctorFinding[]>
  /** The check reads every row, source or picture, so only the command runs it. */
  thorough?: true
}

const checks: readonly DoctorCheck[] = [
  { examine: checkRunningVersion },
  { examine: (config) => checkBuild(config), thorough: true },
  { examine: checkMachine },
  { examine: checkDataFolder },
  { examine: checkDatabasePasswordFile },
  { examine: checkUnfinishedUploads },
  { examine: checkPostgresOrigin },
  { examine: checkDatabase },
  { examine: checkInvariants, thorough: true },
  { examine: checkInstanceKey },
  { examine: checkPooler },
  { examine: checkPictureFiles, thorough: true },
  { examine: checkFileMove },
  { examine: checkBackups },
  { examine: checkImageDecoding },
  { examine: checkBucket },
  { examine: checkRedis },
  { examine: checkEmailAndSms },
  { examine: checkEmailQueue },
  { examine: checkConnectedAccounts },
  { examine: checkPublicUrl },
  { examine: checkClientAddresses },
]

/** A check that throws a startup error must not end the other checks. */
export const doctorChecks: readonly DoctorCheck[] = checks.map((check) => ({
  ...check,
  examine: async (config, images) => {
    try {
      return await check.examine(config, images)
    } catch (error) {
      const said = describeStartupError(error)
      if (typeof said !== 'string') throw error
      return failure(said)
    }
  },
}))

export async function examineQuickly(config: Config, images: ImageProcessor): Promise<DoctorFinding[]> {
  const quick = doctorChecks.filter(({ thorough }) => !thorough)
  return (await Promise.all(quick.map(({ examine }) => examine(config, images)))).flat()
}
