/** The bytes on the wire, where the SDK hides them: XML of success and failure, names, hosts. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { openStage, type Stage } from './stage.ts';

describe('EC2 emulator: on the wire', () => {
  let stage: Stage;
  beforeEach(async () => void (stage = await openStage()));
  afterEach(() => stage.close());

  /** What a signed form is answered with; `headers` replace those of us-east-1's EC2. */
  const post = (form: string, headers: Readonly<Record<string, string>> = {}) => {
    const scope = `${stage.aws.key.id}/20260105/us-east-1/ec2/aws4_request`;
    const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`;
    return new Promise<{ status: number; type: string; xml: string }>((resolve, reject) => {
      const options = { method: 'POST', agent: false, headers: { authorization, ...headers } };
      const sent = request(stage.aws.url, options, (response) => {
        let xml = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (xml += chunk));
        response.on('end', () => {
          const type = response.headers['content-type'] ?? '';
          resolve({ status: response.statusCode ?? 0, type, xml });
        });
      });
      sent.on('error', reject);
      sent.end(form);
    });
  };
  const v = 'Version=2016-11-15';

  it('an empty set is an empty element', async () => {
    const { status, type, xml } = await post(`Action=DescribeRouteServerPeers&${v}`);
    assert.deepEqual([status, type], [200, 'text/xml;charset=UTF-8']);
    assert.match(
      xml,
      new RegExp(
        '^<\\?xml version="1.0" encoding="UTF-8"\\?>\\n' +
          '<DescribeRouteServerPeersResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">' +
          '<requestId>[0-9a-f-]{36}</requestId><routeServerPeerSet/>' +
          '</DescribeRouteServerPeersResponse>$',
      ),
    );
  });

  it('an EC2 error has its request id in RequestID', async () => {
    const { status, xml } = await post(`Action=DescribeVolumes&${v}`);
    assert.equal(status, 400);
    assert.match(xml, /<Response><Errors><Error><Code>InvalidAction<\/Code><Message>/);
    assert.match(xml, /<\/Errors><RequestID>[0-9a-f-]{36}<\/RequestID><\/Response>$/);
  });

  it('a parameter that nobody knows is refused', async () => {
    const { xml } = await post(`Action=DescribeRouteServerPeers&${v}&RouteServerPeerIds.1=rsp-1`);
    assert.match(xml, /<Code>UnknownParameter<\/Code>.*RouteServerPeerIds is not recognized/);
  });

  it('lists are in the order of their numbers', async () => {
    const [one, two] = ['i-0123456789abcdef0', 'i-0123456789abcdef1'];
    const form = `Action=DescribeInstances&${v}&InstanceId.10=${two}&InstanceId.2=${one}`;
    assert.match((await post(form)).xml, new RegExp(`InstanceIDs '${one}, ${two}' do not exist`));
  });

  it('an STS error has a type', async () => {
    const host = { host: 'sts.us-east-1.amazonaws.com', authorization: '' };
    const { status, xml } = await post('Action=GetCallerIdentity&Version=2011-06-15', host);
    assert.equal(status, 403);
    assert.match(xml, /<ErrorResponse xmlns="https:\/\/sts\.amazonaws\.com\/doc\/2011-06-15\/">/);
    assert.match(xml, /<Error><Type>Sender<\/Type><Code>InvalidClientTokenId<\/Code>/);
  });

  it('the region of an unsigned call is that of its host', async () => {
    const host = { host: 'sts.eu-west-1.amazonaws.com', authorization: '' };
    await post('Action=AssumeRoleWithWebIdentity&Version=2011-06-15', host);
    const [entry] = stage.aws.world.calls();
    assert.deepEqual([entry?.region, entry?.code], ['eu-west-1', 'MissingParameter']);
  });
});
