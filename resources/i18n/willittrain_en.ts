<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ComparisonCard</name>
    <message numerus="yes">
        <source>{of}: %Ln rounds are too few to compare it with {to}.</source>
        <translation>
            <numerusform>{of}: %Ln round is too few to compare it with {to}.</numerusform>
            <numerusform>{of}: %Ln rounds are too few to compare it with {to}.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PickPresenter</name>
    <message numerus="yes">
        <source>%Ln files of {name} cannot be read and are left out</source>
        <translation>
            <numerusform>%Ln file of {name} cannot be read and is left out</numerusform>
            <numerusform>%Ln files of {name} cannot be read and are left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ResultCard</name>
    <message numerus="yes">
        <source>{title}, run {number}, %Ln steps counted, it waits for {what}</source>
        <translation>
            <numerusform>{title}, run {number}, %Ln step counted, it waits for {what}</numerusform>
            <numerusform>{title}, run {number}, %Ln steps counted, it waits for {what}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunsPage</name>
    <message numerus="yes">
        <source>Of your last %Ln runs, {inside} lay inside the interval.</source>
        <translation>
            <numerusform>Of your last run, {inside} lay inside the interval.</numerusform>
            <numerusform>Of your last %Ln runs, {inside} lay inside the interval.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunsPresenter</name>
    <message numerus="yes">
        <source>Deleted %Ln runs</source>
        <translation>
            <numerusform>Deleted a run</numerusform>
            <numerusform>Deleted %Ln runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>VerdictHeader</name>
    <message numerus="yes">
        <source>Measure again, about %Ln seconds</source>
        <translation>
            <numerusform>Measure again, about %Ln second</numerusform>
            <numerusform>Measure again, about %Ln seconds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Measure to be sure, about %Ln seconds</source>
        <translation>
            <numerusform>Measure to be sure, about %Ln second</numerusform>
            <numerusform>Measure to be sure, about %Ln seconds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln epochs</source>
        <translation>
            <numerusform>%Ln epoch</numerusform>
            <numerusform>%Ln epochs</numerusform>
        </translation>
    </message>
</context>
</TS>
