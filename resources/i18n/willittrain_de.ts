<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AdvicePage</name>
    <message>
        <source>Advice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for something better …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to gain by changing the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Advice appears here once the model is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to change, free things first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training waits for {what}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The numbers rest on {basis}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AdvicePresenter</name>
    <message>
        <source>Changed the plan: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BasisPopup</name>
    <message>
        <source>Basis of {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{sign} This number is {origin}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It should lie between {interval}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What matters most: {assumption}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no more detail for this number.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BatchChartCard</name>
    <message>
        <source>Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory and speed against batch size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drag the line to change the batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drag the line to change the batch; {best} is the best one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>appears when the model is traced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>limit {size}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BatchField</name>
    <message>
        <source>Batch size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch size, in powers of two</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BenchPresenter</name>
    <message>
        <source>Simulated hardware cannot be measured. Press Esc to return to this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring {title}: {phase}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BenchmarkPage</name>
    <message>
        <source>Benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds to measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel the benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needed, peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needed now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>driver sees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory of the training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processor use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RAM of the process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulated hardware cannot be measured; press Esc first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{variant}: {phase}, {time} so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{phase}, {time} so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulated hardware cannot be measured; press Esc to return to this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trains your workload for a few real steps in a process of its own</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Find anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a model, a card, a page or an action …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ComparisonCard</name>
    <message>
        <source>Comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variants side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} waits for its data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fastest: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No difference that can be told from noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{of}: %Ln rounds are too few to compare it with {to}.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{of} is {x} times as fast as {to} ({low} to {high}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{of} takes {x} times as long as {to} ({low} to {high}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{of} against {to}: between {low} and {high} of its time, so no difference that can be seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The variants took turns on the machine, so that its drift met all of them alike.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The variants ran one after the other, each of them several times.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All epochs: {count}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>Expected: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Received: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error: {message}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EstimatePresenter</name>
    <message>
        <source>Tracing {model} …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tracing {model}: {what}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FindingCard</name>
    <message>
        <source>Batch sizes that were tried</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest batch that ran</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smallest batch at full speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch × steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trials</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No batch ran</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use batch {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train with batch {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit: {size}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FitPage</name>
    <message>
        <source>Fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory over one step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Live memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory at the peak of one step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What fills it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What fills the memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Four memories</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Between</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How this compares, and what was assumed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on {device}, {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The textbook formula says {size} where {needed} are predicted here: {why}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The textbook formula says much the same: {size}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The rule “35 × the data on disk” says {size}, for every network and every batch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the step (%)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MachinePanel</name>
    <message>
        <source>Machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading this machine …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MACHINE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SIM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts of this machine are simulated. Press Esc to go back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulated machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Machine details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulate …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulate other hardware</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{part} over the last minute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{part} now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{gpu}: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulated parts: {parts}. Esc returns to this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking TensorFlow what it can use …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{framework} cannot use {gpu}: {reason}. {fix}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{framework} can use: {devices}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MachinePresenter</name>
    <message>
        <source>Measuring the processor once …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TensorFlow is not installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TensorFlow did not answer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Will It Train?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Advice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upgrades</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryBar</name>
    <message>
        <source>Memory on {device}: needed {needed} of {allowed}. {parts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>magnified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>limit {size}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MemoryLegend</name>
    <message>
        <source>Parts of the memory</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MoreOptions</name>
    <message>
        <source>More options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accumulate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cache data in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Freeze layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clip gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give data as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LoRA rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cache prepared data in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps whose gradients are accumulated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Less memory, more time: activations are computed again in the backward pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patterns of layers to freeze, separated by commas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>block1*, conv_2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each by norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all by norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit of the gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the optimizer has it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moving average of weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One more copy of every weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the data is given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One array lies on the device as a whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rank of LoRA weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no LoRA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train two thin matrices beside each kernel, and the output layer; freeze the rest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>8-bit weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens or time steps of a sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Height and width of the images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as it is, or 480x640</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patterns of layers that the model shall do without</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none, or lstm_1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A quarter of the memory for weights of dense, attention and embedding layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>8-bit weights cannot be trained: choose inference, or LoRA beside them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keras does not quantise float16 to 8 bits</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NumberLabel</name>
    <message>
        <source>{title}: {value}, {mark}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens what this number is based on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Between {interval}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PageStack</name>
    <message>
        <source>Ctrl+{number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PeakBars</name>
    <message>
        <source>Peak memory of the runs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PeaksCards</name>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peaks at each moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak until</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which needs more is not known: fewer than two of the runs could count it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{largest} needs most: {more} more than {smallest}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needed now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needed now (GiB)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory over time</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PhaseStrip</name>
    <message>
        <source>Phases of the run</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PickPresenter</name>
    <message>
        <source>The file was not opened because it was not trusted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {name} cannot be read and are left out</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlotCard</name>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} as a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}, table</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProfileCards</name>
    <message>
        <source>Memory over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needed now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process in RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Driver sees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory over the profiled step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers at the peak of the profiled step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{mark} {size} in {operation}, {held} held by the allocator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an unnamed operation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needed, peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needed now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>driver sees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the step (%)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RecommendationCard</name>
    <message>
        <source>Recommendation {rank}: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same training result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes the training result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured: {outcome}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>becomes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what} afterwards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verify</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verify by a short run: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put this change into the form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run a short benchmark with this change</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ResultCard</name>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}, run {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{title}, run {number}, %Ln steps counted, it waits for {what}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Use batch {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimated before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimate off by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory of the training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}, estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}, measured</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunDetailsView</name>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note on this run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you want to remember about this run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this workload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put this run&apos;s workload into the form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything about this run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Facts of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What differs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs side by side, only what differs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunsPage</name>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How good the predictions were</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter by model, data, device, note …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare the selected runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the selected runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List of runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Of your last %Ln runs, {inside} lay inside the interval.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Error of the memory: {median}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error of the time: {median}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory: median error {median}, largest {worst} in run {run} ({model}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time: median error {median}, largest {worst} in run {run} ({model}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the history …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run matches “{text}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run yet. Press Ctrl+R to measure the present workload for a few seconds.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunsPresenter</name>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Deleted %Ln runs</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The form now holds the workload of run {number}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the desktop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>high contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds that a benchmark measures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The language changes when the program is started again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A benchmark measures for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing leaves this machine: no telemetry, no network.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SimulateDialog</name>
    <message>
        <source>Simulate other hardware</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See the answer for hardware you do not have. Esc in the window returns to this machine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as in this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size} GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory (RAM)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StatusStrip</name>
    <message>
        <source>✓ measured here   ≈ scaled from your run   ~ predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel what is running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Will It Train?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find …   Ctrl+K</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find models, pages and actions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch between light and dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UpgradesPage</name>
    <message>
        <source>Upgrades</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upgrade</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gain at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Price</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Price of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pays off after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training waits for {what}, so only what speeds that up helps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to buy or rent, most useful first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing hardware …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No hardware in the tables would help this workload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upgrades appear here once the model is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a row to see why it helps or not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no more to say about it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>VerdictHeader</name>
    <message>
        <source>Memory needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure to be sure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure again · {seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure to be sure · {seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Measure again, about %Ln seconds</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Measure to be sure, about %Ln seconds</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Only this machine itself can be measured, once the model is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinking …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at this machine and the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The memory of this model is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs {needed}; how much you can use on {device} is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The textbook formula says {needed} of the {allowed} usable on {device}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs {needed} of the {allowed} usable on {device}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It waits for {what} ({percent} % of a step)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It waits for {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>textbook formula</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%Ln epochs</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Wiring</name>
    <message>
        <source>The benchmark has ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WorkloadForm</name>
    <message>
        <source>Workload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>WORKLOAD</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use my own data folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XLA compilation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XLA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no data chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking through {path} …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models ({patterns})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a folder of data</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>commands</name>
    <message>
        <source>page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>simulate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulate other hardware</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Return to this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trace the model again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Machine details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>action</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>dialogs</name>
    <message>
        <source>Run this file?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening this model runs the Python code in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The code can do everything that you can do. Run it only if you know who wrote it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not run it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>sentences</name>
    <message>
        <source>, but only {1} of memory were left: most likely a memory daemon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, labels {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, no labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {n1} times as much</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--backend {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--compare data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>.npz or a folder of keras.datasets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>/proc/meminfo does not tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0 or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 or more steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 other model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 to {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 to {1} sides from 1 to {n2}, at most {n3} values for one sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 to {n1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>12 bytes of framing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>16-bit sizes computed from the trace in float32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2 per multiply-add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>224 or 480x640 (height x width)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>300-500 MB, differs by card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: the card was busy {n1} % of the time, the processor {n2} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; --profile does it all the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; expected {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; received {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All need the same: {n1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apple silicon does not tell its clock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch size {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch size {1}, accumulated over {n2} steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch size {1}, the largest that fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU against GPU comparison of 2019, 58,091,396 parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CUDA_VISIBLE_DEVICES {1}, which hides all cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CUDA_VISIBLE_DEVICES={1} leaves this card out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cache the decoded data in RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cache the decoded data on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Caches L1d / L2 / L3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close what holds memory of the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compile with XLA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute capability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cores, physical / logical</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disk {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed getting HLO text: &apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Float32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Freeze all layers but the last, {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hodges-Lehmann estimate and 95 % signed-rank interval of the log ratio of paired rounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds VRAM: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In use system memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Intel&apos;s driver tells it only through performance counters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Intel&apos;s driver tells the use of its memory only to root</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Intel&apos;s integrated graphics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JAX compiles the step with the same compiler as TensorFlow&apos;s XLA; followed from TensorFlow&apos;s graph, not from a compilation by JAX</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JAX takes at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JAX&apos;s allocator (memory_stats), highest since the process began: JAX cannot reset its peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JAX_PLATFORMS={1} leaves cards out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JPEG, PNG, BMP, GIF or WebP files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keras cannot quantise this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keras does not quantise a float16 model to int8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keras refuses more than one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keras was told to use another framework</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LoRA of rank {1} in {2}; trained with it: {3}; everything else is frozen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory bandwidth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Microarchitecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mixed precision ({1})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVIDIA driver: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVML</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not available: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PCIe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plug in the laptop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PyTorch&apos;s caching allocator (max_memory_allocated)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RAM free of total</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RAM limit of the container</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RAM type and speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recompute activations (remat)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rent instead of waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run {1} {2}, batch {n3}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something in this program is broken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stream the data instead of holding it as one array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Swap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch XLA off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TFLOP/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TensorFlow itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TensorFlow&apos;s allocator (get_memory_info)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TensorFlow&apos;s step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program stopped working on this without saying why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usable cores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>VRAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vector units</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if images were {1}×{2} instead of {3}×{4}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if it had {1} instead of {n2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What if sequences were {1} long instead of {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which needs more memory is not known: fewer than two of the runs could count it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Windows does not tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XLA cannot compile this model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XLA compiles the step; its temporaries are estimated from the graph, not from a compilation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XLA is {1}, as Keras&apos;s auto decides on this device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XLA&apos;s own plan of the step&apos;s memory for batch {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XLA&apos;s plan of the compiled step (memory_analysis): arguments + new results + temporaries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XLA_PYTHON_CLIENT_MEM_FRACTION</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>`bench --profile` records one; the newest {1} are kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>`willittrain doctor` says what is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>`willittrain doctor` says why a card cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>`willittrain models` lists all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>`willittrain runs` lists them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a .keras file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a .keras file (a zip)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a .keras, .h5 or .json file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a JSON object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a Keras .h5 file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a Keras model in JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a NumPy .npz file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a Python file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a Python interpreter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a SavedModel folder has no Keras layers to look at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a TFRecord file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a card if gpu_count is above 0, and nothing if it is 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a card of the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a checksum that matches the length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a column {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a compute capability such as 8.6</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a currency code such as USD</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a date such as 2024-01-31, 2024-01 or 2024</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a device that is here: XLA and the kernels lay out memory differently on another one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a feature with a JPEG or PNG file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a few steps at batch {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a few steps at small batches, scaled and replayed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a file in memory could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a file in memory could not be read, or an address was misaligned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a file of this program is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a folder or file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a folder with one folder of images for each class, a .npz, .csv or TFRecord file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a function in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a functional or sequential model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a keras.Model, or (model, loss), or (model, loss, (x, y))</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model made of Keras layers only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model that can learn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model that ends in one dense layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a model that returns a tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a name of `willittrain models`</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a name of the catalog, a .keras, .h5 or .json file, or file.py:function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a name of the catalog, a folder or a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a network disk is asked only when it is used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a new pass over the data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number of at least {n1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a pattern over names such as {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a rate needs two readings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a run with a profiled step whose trace is still kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a shape such as 224x224x3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a shape such as 28x28x1 or ?x?x3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a size cannot be zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a size such as 32GB or 512MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tf.data.Dataset, a keras.utils.PyDataset, arrays (x, y), or an iterable of batches (x, y)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a trial sum failed: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a usual share of the card&apos;s data-sheet rates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a whole model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a whole number of at least {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {n1} times as fast as now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>access violation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>activations are not counted before the model has been traced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>activations shrink in proportion to the batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>activations shrink to about a quarter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>activations take half the memory; this device has no units that would make it faster too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add --input-shape, for example 224x224x3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add a trainable layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>added to the upper end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>alive at the worst moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allocator over tiny steps of known size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allow it only if you trust its author (--trust)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allow it to run code only if you trust its author (--trust)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>amdgpu does not tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>amdgpu does not tell; the catalog may know the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>amdgpu tells each process&apos;s memory only to that process&apos;s owner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an element type such as uint8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an empty file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an empty object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an estimate can be refined only for a device of this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an input shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another program asked it to end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another program ended the child ({1}); the system&apos;s own memory killer did not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another program interrupted it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another program was already using the card ({n1} % of the time)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>archspec does not know this processor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arrays of numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arrays with the batch as first axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>assumed for a simulated card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at launch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at least {1} samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at least {n1} of RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most {1} bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most {1} bytes of JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most {1} bytes, packed at most {2}-fold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most {n1}, which is what can be spared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto, cpu or gpu:0, gpu:1 …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>available - kept - TensorFlow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>available RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>available RAM now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>backend {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batch {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batches (x, y)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>building the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>building this model runs code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by compute capability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes / bandwidth where that is longer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes per second above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cache {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>caching samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot compare this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot read the model&apos;s file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot read {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot start {1}: {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot store {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot use the history {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot write the trace to {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot write {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check that ROCm supports the card, and that you are in the groups render and video</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>check that it loads with keras.models.load_model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose a smaller batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose a smaller batch, or let the pipeline begin anew at its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose an interpreter that has {1} with --python, or leave --backend out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose another interpreter, or repair this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose data on this machine, or let it come through a pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class folders of images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>close other programs that use it, or move the file away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>column {n1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comma-separated values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comma-separated values in UTF-8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compared: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compiled for batch {1}, asked for {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compiled without running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compiling the step, without running it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>computing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>computing only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context and libraries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cores per multiprocessor are not known for this compute capability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>correct it in {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>corrected by run {1} of this model on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>count x cost of an empty operation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cpu or gpu:N</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cut off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data and labels differ in length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data as one array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data sheet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data that is made up has no pipeline to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decoded samples are cached on disk by TensorFlow, not with {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dense, attention or embedding layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dense, convolution or embedding layers before the output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>depthwise convolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>described by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>did you mean {1}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>did you mean {1}? {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>do not close file descriptors in the model&apos;s code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>downloaded by keras.datasets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>driver</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>embedding, {1}, classifier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end in pooling instead of Flatten, or let your function take input_shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>energy preference power</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>epoch {1}, batch {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>even the weights and their optimizer state are too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>even {n1}, the upper end of the range, has room</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every column once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every prediction × {n1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every row once; this one stands further up already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>executor.cc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exit code {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expect errors with new versions; the safer way: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a message of version {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a request, received {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>field of unknown kind {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file {1}; weights are not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first step: tracing and compiling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for AMD cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for example --freeze &apos;conv*&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for example --leave-out lstm_1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for example {1}:make_model, a function that returns a Keras model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for single images give their folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for the CPU only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>four convolutions and three dense layers, 562,474 parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>four halvings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>framework on the device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>framework&apos;s context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free - context - kept back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free for the GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free memory of the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free now on the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free some space or choose another folder with WILLITTRAIN_DATA_DIR</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frozen weights have no gradients and no optimizer state, and nothing is kept for them; for a network that starts from trained weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fused kernels read and write memory less often</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>give it more time, or a smaller batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>give the model another --input-shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>give the path of a Python interpreter, for example --python ~/venv/bin/python</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>governor powersave</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gpu:{1} ({2})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gpu_device.cc, MinSystemMemory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradients can be clipped in one way only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>graph of schema {1}, expected {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>grey images repeated to {1} channels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>handed out by the allocator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>height and width divisible by {1} ({2})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>height, width and channels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>illegal instruction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>image classification</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>image size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>images resized to {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>importing {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>impossible LoRA rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>impossible accumulation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>impossible amount of RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>impossible batch size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>impossible disk rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>impossible input shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>impossible number of classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>impossible number of epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>impossible thread count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>impossible weight decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>impossible {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input {1} instead of the network&apos;s own {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input {1} instead of {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input {1}, the network&apos;s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inside this container {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>install NVIDIA&apos;s driver and restart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>install NVIDIA&apos;s driver in Windows, not inside WSL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>install PyTorch and run Keras on it: set KERAS_BACKEND=torch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>install an older version of {1}, or use another card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>install the CUDA build of PyTorch (its start page gives the command)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>install the ROCm build of PyTorch and set KERAS_BACKEND=torch, or AMD&apos;s tensorflow-rocm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>install the XPU build of PyTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>install the XPU build of PyTorch and set KERAS_BACKEND=torch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>install the build of {1} for CUDA 12.8 or newer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>install the program again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>install {1} for {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>int8 weights cannot be trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>int8 weights in {n1} of {n2} layers that have weights; quantising the model first holds its {n3} of unquantised weights, not counted here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interval × {n1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is it batched?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it closed its output and ran on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it counts every layer&apos;s output twice, but views, in-place results and freed tensors take nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not see attention scores and the copies inside attention layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not see temporaries of the backward pass and the allocator&apos;s rounding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not see temporaries of the optimizer&apos;s update and of the backward pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not see what recurrent layers keep for every time step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it follows from readings that are missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it keeps gradients and optimizer state for frozen weights, which have none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it ran at low priority: other programs went first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was stored by another version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its batches have another size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its data to be decoded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its session ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keep below the limit: under WSL2 the driver moves what does not fit to host memory, which is slow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keeps other values than TensorFlow&apos;s loops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keeps row and column means instead of whole moments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept back by TensorFlow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept for the desktop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keras-hub GPT2Backbone with language head, Radford et al. 2019</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keras.applications.{1}, weights=None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>label {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>language modelling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>larger steps keep the device busier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest sum over one step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>later epochs read {1} from RAM instead of decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>later epochs skip decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>later steps needed up to {n1} more memory than the first three</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>launching operations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>layers of this model cannot be left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave --refine out, or refine on that machine itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave it out for no clipping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave it out, or use --device cpu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave out --classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave out --data array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave out --int8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave out --lora-rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave out --threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>let the function take batch_size and make batches of that many samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>let the function take input_shape, sequence_length or image_size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>let the pipeline give what the model takes, or name the shape with --input-shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>list them, such as --compare threads=1,2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>live buffers of the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading TensorFlow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>look at the place named in the last lines; data that never comes is a frequent cause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>look at what it prints when it starts; restart the machine after a driver update</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>look for damaged or missing files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>look for who ends processes here: a job scheduler, a memory daemon, another user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>look for who ends processes here: a logout, a job scheduler, another user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>look whether the disk or /dev/shm is full; a mapped file that shrank does this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss binary cross-entropy assumed from sigmoid output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss mean squared error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss mean squared error assumed: the output is neither softmax nor sigmoid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss of the saved file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss sparse categorical cross-entropy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss sparse categorical cross-entropy assumed from softmax output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss sparse categorical cross-entropy assumed: {1} outputs, {2} classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower the learning rate, scale the inputs, or train in float32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>macOS does not tell it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>macOS tells it only to root</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>macOS tells it only to system_profiler, which takes too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>made up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>max q</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured on TensorFlow 2.21</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured once on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measuring {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median error {n1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mend the data or its pipeline; the message is its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mend the model; the message is its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more room</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more than 0 bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more than 100 million samples: one pass on this machine takes {n1}; compare the offers under Upgrades</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>moving average</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>moving data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name your own folder or file with --dataset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>native code divided by zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>native code gave up after a check of its own failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>native code touched memory that is not its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>neither cpufreq nor /proc/cpuinfo tells a clock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no NVIDIA card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no NVIDIA driver is installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no answer: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no battery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no card at all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no card found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no card found (NVIDIA: {1})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no card was used, or its driver tells neither energy nor power</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no dataset chosen: no epoch time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no driver is loaded: it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no encoded image found; features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no framework is installed in this interpreter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no image can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no input of this model is a{1} {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no label found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no layer of this model takes LoRA weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no layer to freeze has this name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no layer to leave out has this name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no limit is set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no memory left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no optimizer state is kept; expect to tune the learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no step is marked in the profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no step was profiled, because one takes {n1}{2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no such run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no table of rates for this compute capability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody knows how many samples an epoch has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody knows how many samples the data has: one batch was used instead of one array of all data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody knows how many samples this data has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a memory size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a thread count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not an image size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not available: JAX keeps no count on a CPU, and a step that is not compiled has no plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not available: PyTorch keeps no count of tensors on this device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known: what the programs here use could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not measured: this part is simulated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not traced yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not worth it: each step waits for {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>numbers of at least 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>numbers or images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>numbers, and a label in the last column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on battery the processor and the card run at reduced clocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on the card, and once more in RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one GRU layer of 128 units</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one LSTM layer of 128 units</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one number as output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one of {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only NVIDIA cards have one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only NVIDIA cards have them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only a range is known, and it crosses what may be used; `bench` with the same options measures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only root may read the firmware&apos;s memory table, and udev has no copy of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only root may read the processor&apos;s energy counter (since Linux 5.10)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only the batches at hand are on the device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only the folder {1} is counted: an epoch goes through the training data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>op-by-op execution needs less memory for some networks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open the .json at https://ui.perfetto.dev or chrome://tracing, or the folder with `xprof --logdir`</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>operating system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>operations in the traced step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>operations run in the order of TensorFlow&apos;s executor with the device&apos;s threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>operations that XLA knows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optimizer {1} keeps its state in float32 for every trainable weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>or a list such as precision=float32,mixed_float16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other layers only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other programs used {n1} % of the processor meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pad the sequences to one length and save them as an array of integers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parent and child must be of the same version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>patches of 16×16 pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>platform profile {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>power brake</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>power limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>power source read now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>precision {1} instead of the file&apos;s {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted against measured here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>products run on tensor cores and activations take half the memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>profiling one step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rate for convolutions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rates measured on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read from the driver</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading data only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading files only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>received {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>records that are no tf.train.Example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reinstall {1} in this interpreter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replaying the requests at batch {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart the machine after a driver update; close other programs that use the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>restart the machine; check power and slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>round {n1} of {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows of one length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rule of case S1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run it on the CPU (--device cpu), or exchange the layer that needs this operation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run it with --device cpu to see whether the device&apos;s driver is the cause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run it without XLA (--no-jit)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run it without torch.compile (--no-jit)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run {1} cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run {1} has no trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run {1} of this model on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs of {1} on this device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs op by op and frees in another order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>save it with model.save(&apos;name.keras&apos;)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>save it with model.save(), not with save_weights()</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>save the model with its vocabulary inside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>save the table as CSV in UTF-8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scratch that kernels were granted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>see allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sequence length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sequence length {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set KERAS_BACKEND={1}: {2} in this interpreter can use the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>several datasets are called that</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shape:samples:classes such as 28x28x1:60000:10</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>share of the memory both use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>signal {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>signal {1}: {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>simulated card {1}: {2} free, the rest held by a usual desktop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sizes are lines through batch {1} and {2}, requests come in the order of batch {3}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slots are new then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slower than now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something in the model writes to descriptors that are not its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stack overflow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start the container with access to the card (docker run --gpus all)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting the input pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>state of XLA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step time from the card&apos;s data sheet and usual efficiencies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>steps are long: {1} instead of {2} warm-up steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>steps on {1} are not profiled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped because it held {n1} of this machine&apos;s memory and {n2} is all that can be spared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped because it took too much of this machine&apos;s memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sum of sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sysctl does not tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tabular classification</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensorflow {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensorflow-metal {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensorflow/python/data/util/structure.py</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text classification</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text or rows of tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the NVIDIA driver answered with garbage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the NVIDIA driver did not answer in time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the NVIDIA driver does not allow it to this user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the NVIDIA driver does not find it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the NVIDIA driver has a problem with the card&apos;s interrupt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the NVIDIA driver is installed but not loaded; restart the machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the NVIDIA driver is too old to tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the NVIDIA driver was updated; restart the machine to use it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the NVIDIA driver {1} supports CUDA {2}, {3} needs CUDA {4}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the TFRecord file is broken at {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the allocator wrote no events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the amdgpu driver does not answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the amdgpu driver is not loaded for this card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the array holds Python objects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the arrays have no names that are known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the batch that the function returns fixes the input size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the batch that the function returns is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the body is not an object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the build carries no code for compute capability {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the cache was still being filled: later epochs will be faster than this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the card does not tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the card must be reset before it answers again; restart the machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the card slowed down for its heat or power supply {n1} of the time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the card was lost: it no longer answers the driver</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the card was lost: it no longer answers the driver; restart the machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the card&apos;s memory was full and steps became {n1} times slower: it spills into the host&apos;s memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the card&apos;s power cable is not connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the card&apos;s power limit held its clock down {n1} of the time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the child could not allocate memory ({1}): {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the child ended without an answer ({1}), in the middle of a message{2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the child ended without an answer ({1}){2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the child said nothing for {n1} s during {2} and was ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the child sent an unknown kind of message: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the child speaks version {1}, expected {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the child took longer than {n1} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the child wrote a line longer than {1} bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the child wrote a line that is not a message: {1} ({2})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the child&apos;s calibration was not understood</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the child&apos;s measurement was not understood</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the classes differ in size: {n1} to {n2} images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the compiler&apos;s answer holds no buffer assignment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the compiler&apos;s block for everything else</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the configuration inside the model file is too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection to the NVIDIA driver was lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data came to its end and gave no batch when it was begun anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data does not have the shape that the model takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data is held as one array, but nobody knows how many samples it has: it is not counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data is not on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data was made up (right shape and type): reading it takes TensorFlow, which this interpreter has not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data was made up (right shape and type): time to read and decode is not included</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the dataset as one array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the dataset does not fill one batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the dataset is not described</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the device does not say how much memory is free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the driver does not tell how much each process holds (as under Windows and WSL2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the error comes from {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the examples differ in length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the fastest convolutions would like {n1} of workspace and will not get it: expect allocator warnings and slower kernels, not a failure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file cannot be imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file has no config.json inside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file holds code (a layer {1})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file holds weights only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is cut off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is damaged, compressed, or no TFRecord file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is no Keras model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file system does not tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file&apos;s own loss is not known here ({1})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the files came from memory (page cache), not from the disk: a first epoch takes longer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the firmware does not tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the firmware has no memory table, as in most virtual machines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the first step alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the first step, in which the optimizer&apos;s state is new, needs {n1}, but only {n2} may be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the function decides about the number of classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the graph holds it already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the graphics are part of the chip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the image size does not suit this network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the input shape does not suit the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the input shape has the wrong number of dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the input size of this model is fixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the interpreter&apos;s answer cannot be read: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the kernel does not tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the kernel does not tell what this device is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the keys class_name and config</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the last lines of its standard error say more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the layer {1} would read another file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the least of these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the library found no room to compute in:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the limit is for the host&apos;s memory, but a card trains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the line is not JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the loss is not a number any more (NaN or infinite): this plan does not train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the machine moved {n1} to and from swap meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the machine runs on battery and may be slower than on mains power</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the machine saves power ({1}) and may be slower than it could be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the machine&apos;s own speed moved by {n1} during the run; the interval allows for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the measurement was too short for two readings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the message ends in the middle of a field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model cannot be rebuilt at another size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model does not accept this input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model does not fit together without these layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model does not say what its input looks like</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model file cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model file is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model file is too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model has layers of its own: use file.py:function, where they are defined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model has no output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model has no weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the number of classes cannot be changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the number of threads is set for TensorFlow only, not for {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the operating system blocks the NVIDIA driver</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the output layer {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the package nvidia-ml-py is not installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the path of a model file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the process has ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the processor does not know an instruction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the processor slowed down for its heat ({1} times)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the profiler wrote no trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the records hold no encoded image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the refined answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the result cannot be sent: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the run ended before its answer: these are the few readings that came until then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same requests through BFC</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan was cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sequence is too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the speed of this device has not been measured yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the speed of {1} here is not known before a run: `bench --backend {2}` measures it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the speed with {1} threads is known only from a run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the step could not be profiled: {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the step needs {n1}, but only {n2} may be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the step time did not settle within 3 % in the time given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system does not tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system does not tell what this device is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system ended the child ({1}), most likely because memory ran out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system ended the child because memory ran out ({1}, and it counted one)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system names no third-level cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the system tells no processor energy (powercap)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the table cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the table has no column of numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the textbook formula keeps every layer&apos;s output twice, which no framework does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the trace of a step is too large to read in time ({1}){2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the traced graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the traced graph says {n1}; only a run of this batch can tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the upper end of the prediction, {n1}, is above the {n2} that may be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights still see {n1} samples per update</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the whole dataset lies {1} as prepared arrays: {n2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the workload does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the workload fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>their biases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no image in the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no interpreter at {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no record in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such file or folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is nothing to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>thermal slowdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this Intel card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this build of {1} does not offer {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this build of {1} was made {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this build of {1} was not made for AMD cards (ROCm)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this card has no tensor cores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this card is simulated: no framework here can be asked about it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this change has not been traced yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this data does not suit the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this data is made by code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this data is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this describes no data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this generation has no TF32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is a recorded machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is no function&apos;s name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this kind of file is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this model has no layer that Keras quantises</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this model needs keras-hub, and {1} is not installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this network has no classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>threads {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tiny steps of known size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens or time steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>total - held by others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>traced graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tracing one step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tracing the model …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tracing the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training a tiny network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trial of batch {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trial {n1}, batch {2}: {3}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>try --input-shape {n1}x{n2}x{3}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>try a smaller batch or close other programs; the machine&apos;s memory ran out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>try a smaller batch or close other programs; the system&apos;s memory ran out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>try a smaller batch, close other programs, or do not cache the data in RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>try a smaller batch; `willittrain advise` lists what else would help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>try it with XLA off (--no-jit)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tsl/framework/bfc_allocator.cc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two GRU layers of 128 units</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two LSTM layers of 128 units</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two batch sizes make a line, one does not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two hidden layers of 512 units</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two values or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown backend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown dataset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown graphics card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown way to hold the data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown wire type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unset CUDA_VISIBLE_DEVICES</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unset JAX_PLATFORMS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unset {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>update the NVIDIA driver{1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>update the framework or the driver, or leave out native code of your own; the last lines show where it was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use --cache none or ram</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use --mode inference, or train LoRA weights beside them (--lora-rank)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use Linux or WSL2 with the ROCm build of PyTorch and set KERAS_BACKEND=torch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use a build of the framework that this processor can run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use float32 or bfloat16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>use macOS 14 or newer and a current PyTorch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>value × {n1}; prior counted as eight runs, never narrower than what was seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warming up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights that do not depend on it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights, optimizer state and batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights, their state and the batch alone need {n1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what happens inside a layer is computed again in the backward pass instead of being kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what is alive at once in every step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what is kept for each time step shrinks in proportion; attention scores to a quarter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>which file?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>which function of the file?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>which function?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>willittrain step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with {1} Keras does not keep the data as one array on the device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without it a benchmark uses made-up batches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without {1} its weights and all it keeps for each time step are gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>work / rate where that is longer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>work of one step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>x_train and y_train, or x and y</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>xla/service/buffer_assignment.cc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>your consent for this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>your folder, median image {1}×{2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>your last run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>your last {1} runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>your own pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>your own table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>your runs on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} (at launch)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} (its builds for CUDA 12.8 and newer have it); or use NVIDIA&apos;s TensorFlow container, or build TensorFlow for the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} and {2}: no difference that can be seen (between {n3} and {n4} of the time)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} broken files in {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} bytes do not fit under {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} bytes in {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} bytes of data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} cannot be built by this Keras</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} cannot be built for this input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} cannot be imported: {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} cannot use {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} carries no code for compute capability {2} (RTX 50 and other Blackwell cards)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} classes instead of {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} divides badly: {n2} would be {3} × {4}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} does not offer Apple&apos;s graphics (MPS)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} does not offer this card and does not say why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} does not return a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} does not tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} does not work with {2}: it has had no maintainer since January 2025</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} has no GPU support of its own on macOS; its Metal plugin has no maintainer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} has no GPU support on Windows itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} has no GPU support on Windows itself: 2.10 was the last that had</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} has no function {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} hides all cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} hold {n2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} images lie beside the class folders: classes are not counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} images,</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} in {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} instead of {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} is not installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} is not installed for this Python</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} is not text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} is too large for a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} is {n2} times as fast as {3} ({n4} to {n5})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} layer{2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} median {n2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} memory, {2} time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} needs most: {n2} more than {3}{4}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} no longer carries code for compute capability {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} of {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} of {2} inside the interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} of {n2} headers read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} offers this card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} other models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} returns no data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} returns no usable batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} sees no GPU {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} stay free on the device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} takes {n2} times as long as {3} ({n4} to {n5})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} through tensorflow-metal, which has had no maintainer since January 2025</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} tokens at most for {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} under WSL2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} waits for data{2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} was built for CUDA {2}, but CUDA&apos;s libraries are not installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} was built for ROCm {2} but does not offer this card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} would change from {2} to {3}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} yields no batches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} yields no targets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1} {2}: only a range is known, around what TensorFlow&apos;s step would take</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}, at most {n2} s left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}, byte {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}, line {2} cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}, line {2}: column {3} cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}, or add this card to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}, {n2} free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}.{2} is not allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}: array {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}: finishing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}: images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}: run {n2} of {3}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}: starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}: {2} of {3}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}: {2} rounds are too few to compare with {3}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}: {2} samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}: {n2} inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}: {n2} samples per epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}; and pip uninstall tensorflow-metal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}; or use WSL2 and there {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{1}; or: {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} GFLOP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} GFLOP/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} columns of numbers, label {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} columns of numbers, no label found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} files{2} are broken and are left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} images found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} left in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} of the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} recurrent layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} samples x one sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} weights instead of {n2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1} × that</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n1}, for example {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>× {n1} to {n2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“willittrain datasets” lists all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“willittrain gpus” lists all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{1}” can be several cards; taken: {2}; others: {3}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>words</name>
    <message>
        <source>Fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scaled from your run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without a basis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Others and reserve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Framework</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held by the desktop and other programs, or kept back by the framework</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The framework&apos;s own context on the device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The parameters of the network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One value for each trainable parameter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the optimizer remembers for each parameter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer outputs kept for the backward pass; they grow with the batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scratch memory of the fast kernels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The batch itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wanted on top</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seen by the driver</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The process in RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TensorFlow reserves all it may use, unless memory growth is switched on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensors at the worst moment of a step; this decides whether it fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scratch for the fastest convolutions; if refused, slower ones run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the processor&apos;s allocator gives back what it frees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needed, and the framework&apos;s own context on the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Python, the framework and what it computes in RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free now, without what the framework and the desktop keep back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory bandwidth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting operations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data preparation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Succeeded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crashed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load framework</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Build model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prepare data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU against GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XLA on against off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>float32 against mixed precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All, half and one thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With and without a cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The largest batch that runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A larger batch would leave too little headroom below the limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A larger batch than the dataset makes no sense.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The next larger batch that was tried ran out of memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A larger batch is far slower: its memory spills.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not even one sample fits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search ended after its last trial.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A trial failed for another reason than memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search was cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cloud</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>VRAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process in RAM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It waits for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graphics cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>XLA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accumulated steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recomputed activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frozen layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moving average of weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradients clipped each by norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradients clipped all by norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradients clipped by value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data given as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LoRA rank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>8-bit weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one array</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
