/** aws-sync as a process: the only one that calls AWS. Without `spec.aws` it never does. */
import { openClock } from '../../edge/clock.ts';
import { openAwsCloud } from '../../edge/ec2/cloud.ts';
import { hasCredentials } from '../../edge/ec2/environment.ts';
import { serve } from '../../edge/serve.ts';
import { awsPerform } from './doors.ts';
import { usualTimes } from './input.ts';
import { awsSync } from './room.ts';

await serve('aws-sync', async ({ config, mayWrite }) => {
  const clock = openClock();
  const environment = hasCredentials(process.env);
  const cloud = openAwsCloud({ clock, random: Math.random, environment, mayWrite });
  return {
    room: awsSync({ times: usualTimes, peersPerEndpoint: config.awsPeersPerEndpoint }),
    doors: { paceMs: 50, perform: awsPerform(cloud, clock) },
    close: () => Promise.resolve(cloud.close()),
  };
});
