import { checkProfile } from './check-profile.js';

process.exitCode = checkProfile(process.argv.slice(2), console.log);
