// Runs what the providers' own clients find about the sandbox and the connectors; needs the packages of package.json on
// NODE_PATH.
'use strict';

const { main } = require('./harness.js');

require('./stripe.js');
require('./alipay.js');
require('./wechatpay.js');
require('./paypal.js');
require('./connectors.js');

main((merchant) => ['--notify-stripe', `${merchant.url}/stripe`, '--notify-paypal', `${merchant.url}/paypal`]);
